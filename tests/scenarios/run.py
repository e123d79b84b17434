#!/usr/bin/env python3
"""Runs whole-binary scenarios: files, commands, exit codes and output in one text file each.

A scenario is a list of sections, each begun by a line `--- KIND ARGUMENT`; what stands before the first is prose.

    --- file NAME             a file of the scratch folder, as it stands
    --- file NAME escaped     the same with Python escapes (\\t, \\r, \\xff); a backslash at a line's end joins lines
    --- setup                 shell commands to run first (mkfifo, ln -s ...)
    --- not as root           skipped for root, who may read everything
    --- run                   a shell command; `oomlint` is the binary under test
    --- exit N                of the command above (0 when absent)
    --- stdout | --- stderr   of the command above (nothing when absent)

Every command has a budget of CPU seconds and megabytes, because bad input must not hang or grow the linter.
`--update` rewrites exit, stdout and stderr with what came out.
"""

import argparse
import codecs
import os
import pathlib
import subprocess
import sys
import tempfile

CPU_SECONDS = 2.0
WALL_SECONDS = 60.0  # only against a hang: a loaded machine may be slow
MEGABYTES = 100.0
SKIPPED = 77


class Skipped(Exception):
    """This machine cannot show what the scenario is about."""


def parse(text):
    """[(kind, argument, body)], the first being ("prose", "", ...)."""
    sections = [["prose", "", ""]]
    for line in text.splitlines(keepends=True):
        if line.startswith("--- "):
            words = line[4:].strip().split(" ", 1)
            sections.append([words[0], words[1] if len(words) > 1 else "", ""])
        else:
            sections[-1][2] += line
    return sections


def run(command, folder, binary):
    environment = {"PATH": f"{folder}/.bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    if "ASAN_OPTIONS" in os.environ:
        environment["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            # wait4 knows what the command used; a watchdog ends it if it hangs.
            watchdog = subprocess.Popen(["sh", "-c", f"sleep {WALL_SECONDS}; kill -9 {process.pid}"], start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            os.killpg(watchdog.pid, 15)
            watchdog.wait()
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage


def printable(raw):
    return raw.decode("utf-8", errors="backslashreplace")


def lay_out(sections, folder, binary):
    binaries = folder / ".bin"
    binaries.mkdir()
    (binaries / "oomlint").symlink_to(binary)
    (folder / ".git").mkdir()  # the scratch folder is a repository of its own
    for kind, argument, body in sections:
        if kind == "file":
            name, _, escaped = argument.partition(" ")
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = body.encode()
            path.write_bytes(codecs.escape_decode(body.rstrip("\n").replace("\\\n", ""))[0] if escaped else raw)
        elif kind == "setup":
            subprocess.run(["sh", "-ec", body], cwd=folder, check=True, stdin=subprocess.DEVNULL)
        elif kind == "not" and os.geteuid() == 0:
            raise Skipped


def check(path, binary, update, limits):
    sections = parse(path.read_text(encoding="utf-8"))
    problems = []
    fresh = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lay_out(sections, folder, binary)
        i = 0
        while i < len(sections):
            kind, argument, body = sections[i]
            i += 1
            if kind in ("exit", "stdout", "stderr"):
                problems.append(f"`--- {kind}` belongs to no command")
            fresh.append([kind, argument, body])
            if kind != "run":
                continue
            expected = {"exit": "0", "stdout": "", "stderr": ""}
            while i < len(sections) and sections[i][0] in expected:
                expected[sections[i][0]] = sections[i][1] if sections[i][0] == "exit" else sections[i][2]
                i += 1
            code, out, err, usage = run(body, folder, binary)
            actual = {"exit": str(code), "stdout": printable(out).replace(name, "FOLDER"), "stderr": printable(err).replace(name, "FOLDER")}
            for part in ("stdout", "stderr"):
                if actual[part] and not actual[part].endswith("\n"):
                    actual[part] += "\n"
            for part, value in actual.items():
                if value != expected[part]:
                    problems.append(f"{part} of `{body.strip()}`\n-- expected\n{expected[part]}\n-- got\n{value}")
            seconds = usage.ru_utime + usage.ru_stime
            if seconds > limits[0]:
                problems.append(f"`{body.strip()}` took {seconds:.1f} s of CPU, the limit is {limits[0]}")
            megabytes = usage.ru_maxrss / 1024
            if megabytes > limits[1]:
                problems.append(f"`{body.strip()}` took {megabytes:.0f} MB, the limit is {limits[1]:.0f}")
            if actual["exit"] != "0":
                fresh.append(["exit", actual["exit"], ""])
            fresh += [[part, "", actual[part]] for part in ("stdout", "stderr") if actual[part]]
    if update:
        text = fresh[0][2]
        for kind, argument, body in fresh[1:]:
            text += f"--- {kind}{' ' + argument if argument else ''}\n{body}"
        path.write_text(text, encoding="utf-8")
        return []
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--sanitized", action="store_true", help="no limit on memory and ten times the CPU, for sanitizer builds")
    parser.add_argument("scenario", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    limits = (CPU_SECONDS * 10, float("inf")) if arguments.sanitized else (CPU_SECONDS, MEGABYTES)
    failed = skipped = 0
    for path in arguments.scenario:
        try:
            problems = check(path, arguments.binary, arguments.update, limits)
        except Skipped:
            print(f"{path.name}: SKIPPED: not as root")
            skipped += 1
            continue
        for problem in problems:
            print(f"{path.name}: {problem}")
        failed += bool(problems)
    sys.exit(1 if failed else SKIPPED if skipped == len(arguments.scenario) else 0)


if __name__ == "__main__":
    main()
