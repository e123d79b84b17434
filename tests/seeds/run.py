#!/usr/bin/env python3
"""Worked values must come out of the command line.

usage: run.py OOMLINT SEEDS_FOLDER

Each row of expected.json names a native config, what to read from `estimate --format json`, and the value. Integers are
exact; a value with `digits` passes when ours, in the row's unit and rounded to those digits, is the printed value."""
import json
import pathlib
import subprocess
import sys

UNITS = {"GB": 1e9, "MB": 1e6, "GiB": 2**30, None: 1}
STATE = ("weights", "adapter weights", "master weights", "gradients", "optimizer state")


def run(exe, path, args):
    done = subprocess.run([exe, "estimate", str(path), "--format", "json", *args], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return json.loads(done.stdout)["runs"][0]


def term(result, names):
    """The sum of the named terms in the phase where it is largest."""
    return max(sum(t["bytes"] for t in p["terms"] if t["name"] in names) for p in result["phases"])


def read(result, what):
    if what == "state":
        return term(result, STATE)
    if what == "adapter":  # weights, gradients and optimizer state of the adapters together
        frozen = term(result, ("weights",))
        return term(result, STATE) - frozen
    if what == "peak":
        return result["peak"]["allocated"]["likely"]
    if what in ("verdict", "verdict not"):
        return result["verdict"]
    if what == "flops":
        return result["compute"]["flops"]
    if what == "seconds":
        return result["compute"]["seconds"]["likely"]
    if what == "hours":
        return result["compute"]["seconds"]["likely"] / 3600
    if what == "tokens presented":
        return result["compute"]["tokens"]["presented"]
    if what == "effective batch":
        return result["plan"]["effective_batch"]["effective"]
    if what == "adapter parameters":
        return term(result, ("adapter weights",)) / 4  # held in fp32
    return term(result, (what,))


def passes(row, got):
    if row["what"] == "verdict not":
        return got != row["value"]
    if "digits" in row:
        return round(got / UNITS[row.get("unit")], row["digits"]) == row["value"]
    if isinstance(row["value"], float):
        return abs(got / row["value"] - 1) < 1e-12
    return got == row["value"]


def main():
    exe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = json.loads((pathlib.Path(__file__).parent / "expected.json").read_text())
    failed = 0
    for row in rows:
        try:
            got = read(run(exe, folder / row["file"], row.get("args", [])), row["what"])
            ok = passes(row, got)
        except (AssertionError, KeyError, IndexError, TypeError, ValueError) as error:
            got, ok = f"{type(error).__name__}: {error}", False
        if not ok:
            failed += 1
            print(f"{row['file']}: {row['what']} should be {row['value']}, is {got}")
    print(f"{len(rows) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
