#!/usr/bin/env python3
"""Checks that the arrows between the folders hold: who may include whom, and that no header of ours brings in a third
party's."""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
THIRD_PARTY = re.compile(r"^(yaml-cpp|toml\+\+|nlohmann|tree_sitter|doctest|CLI|benchmark|fmt)/|^tree_sitter")

# Headers that the build writes.
GENERATED = {"known_keys.h"}

# A folder may include headers of itself and of these; the longest matching prefix decides.
ALLOWED = {
    "lint/text": [],
    "lint/document": ["lint/text"],
    "lint/plan": ["lint/text", "lint/document"],
    "lint/estimate": ["lint/text", "lint/document", "lint/plan"],
    "lint/catalog": ["lint/text", "lint/document", "lint/plan"],
    "lint/dialect": ["lint/text", "lint/document", "lint/plan"],
    "lint/engine": ["lint"],
    "rules": ["lint"],
    "parsers": ["lint/text", "lint/document", "lint/engine/reader.h"],
    "parsers/dialects": ["lint/text", "lint/document", "lint/plan", "lint/dialect"],
    "parsers/settings": ["lint", "parsers"],
    "integrations/files": ["lint/text", "lint/engine/files.h"],
    "integrations/emit": ["lint"],
    "integrations/cli": ["lint", "parsers/readers.h", "parsers/settings", "integrations"],
    "integrations/server": ["lint", "parsers/readers.h", "parsers/settings", "integrations"],
}
# Who may see a third party at all, and only in .cpp files.
MAY_USE_THIRD_PARTY = ("parsers/", "lint/catalog/tool/", "integrations/emit/", "tests/")


def covers(prefix, path):
    return path == prefix or path.startswith(prefix + "/")


def owner(path):
    matching = [folder for folder in ALLOWED if covers(folder, path)]
    return max(matching, key=len) if matching else None


def problems_of(root, path):
    name = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    folder = owner(name)
    if folder is None:
        yield f"{name}: belongs to no folder that tests/repository/includes.py knows"
        return
    if path.suffix == ".h" and not text.startswith("#pragma once\n"):
        yield f"{name}: a header begins with #pragma once"
    for bracket, header in INCLUDE.findall(text):
        if THIRD_PARTY.search(header):
            if path.suffix == ".h":
                yield f"{name}: a header of ours includes <{header}>"
            elif not name.startswith(MAY_USE_THIRD_PARTY):
                yield f"{name}: includes <{header}>; only {', '.join(MAY_USE_THIRD_PARTY)} may"
        elif bracket == '"' and header not in GENERATED:
            if not (root / header).exists():
                yield f"{name}: there is no {header} (paths start at the root)"
            elif not covers(folder, header) and not any(covers(allowed, header) for allowed in ALLOWED[folder]):
                yield f"{name}: {folder} may not include {header}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [path for top in ("lint", "rules", "parsers", "integrations") for path in sorted((root / top).rglob("*.[ch]*"))
             if path.suffix in (".h", ".cpp") and "node_modules" not in path.parts]
    problems = [problem for path in files for problem in problems_of(root, path)]
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    sys.exit(1 if problems or not files else 0)


if __name__ == "__main__":
    main()
