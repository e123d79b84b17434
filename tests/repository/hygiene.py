#!/usr/bin/env python3
"""Checks that what is committed would work for a stranger: no paths of one machine, no addresses of package registries, no
files that outgrew their size, no trailing blanks in sources."""

import pathlib
import re
import subprocess
import sys

# Written so that this file does not find itself.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:root|work|Users)/[\w.]|/home/(?!user\b|you\b)[a-z]"),
    "the address of a package registry": re.compile(r"https?://[^\s\"']*(?:registry|pypi|npmjs|proxy\.golang|artifactory|nexus)[^\s\"']*", re.I),
}
LINES_A_SOURCE = 500
SOURCES = {".cpp", ".h", ".py"}


def tracked(root):
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    if listing.returncode == 0:
        return [root / name for name in listing.stdout.decode().split("\0") if name]
    return [path for path in root.rglob("*") if path.is_file() and "build" not in path.parts]


def problems_of(root, path):
    name = path.relative_to(root).as_posix()
    if not path.is_file() or name == "tests/repository/hygiene.py":
        return
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in FORBIDDEN.items():
            if pattern.search(line):
                yield f"{name}:{number}: {what}: {line.strip()[:120]}"
        if path.suffix in SOURCES and line != line.rstrip():
            yield f"{name}:{number}: trailing blanks"
    generated = name.startswith("lint/catalog/") or "/known/" in name
    if path.suffix in SOURCES and text.count("\n") > LINES_A_SOURCE and not generated:
        yield f"{name}: {text.count(chr(10))} lines; the limit is {LINES_A_SOURCE}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = tracked(root)
    problems = [problem for path in files for problem in problems_of(root, path)]
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    sys.exit(1 if problems or not files else 0)


if __name__ == "__main__":
    main()
