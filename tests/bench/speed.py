#!/usr/bin/env python3
"""Prints how much CPU `oomlint check` takes over a corpus beside yaml-cpp's event reader alone, and what a cold start
costs beside /bin/true. Both sides run alternately in one go, because only their ratio means anything on a shared
machine. Asserts nothing.

usage: speed.py OOMLINT YAML_EVENTS CORPUS
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 7
STARTS = 50


def cpu(command, cwd, **options):
    """CPU seconds of a command and its peak resident set in MiB."""
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(oomlint, events, files, folder, extra):
    """Median CPU of both over the same files, and their ratio."""
    ours, floor = [], []
    for _ in range(ROUNDS):
        ours.append(cpu([oomlint, "check", "-j", "1", *extra, *files], folder)[0])
        with tempfile.TemporaryFile("w+", encoding="utf-8") as names:
            names.write("\n".join(files) + "\n")
            names.seek(0)
            floor.append(cpu([events], folder, stdin=names)[0])
    a, b = statistics.median(ours), statistics.median(floor)
    return f"check {a:.3f} s, events {b:.3f} s, ratio {a / b:.2f}"


def main():
    oomlint, events, corpus = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:4])
    everything = sorted(str(path.relative_to(corpus)) for path in pathlib.Path(corpus).rglob("*.y*ml") if path.is_file())
    quiet = [path for path in everything if not subprocess.run([oomlint, "check", path], capture_output=True, cwd=corpus).stdout]
    print(f"quiet files ({len(quiet)}): " + compare(oomlint, events, quiet, corpus, []))
    print(f"all files ({len(everything)}), for 24GB: " + compare(oomlint, events, everything, corpus, ["--gpu", "24GB"]))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "one.yaml").write_text("base_model: NousResearch/Meta-Llama-3-8B\nmicro_batch_size: 1\n")
        starts = [cpu([oomlint, "check", "one.yaml"], folder) for _ in range(STARTS)]
        nothing = [cpu(["/bin/true"], folder) for _ in range(STARTS)]
    print(f"cold start: {statistics.median(s for s, _ in starts) * 1000:.2f} ms CPU, {max(m for _, m in starts):.1f} MiB; "
          f"/bin/true {statistics.median(s for s, _ in nothing) * 1000:.2f} ms")


if __name__ == "__main__":
    main()
