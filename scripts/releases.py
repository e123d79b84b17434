#!/usr/bin/env python3
"""Writes lint/catalog/releases.toml anew: the day on which each release of the packages that decide memory came out.

usage: scripts/releases.py SIMPLE_INDEX_URL > lint/catalog/releases.toml

SIMPLE_INDEX_URL is the address of a Python package index that speaks the JSON form of the simple API (PEP 691, PEP 700).
Left out: pre-releases, releases that were withdrawn, and those older than what was out already that day."""
import json
import re
import sys
import urllib.request

PACKAGES = ["accelerate", "axolotl", "bitsandbytes", "deepspeed", "diffusers", "flash-attn", "lightning", "liger-kernel", "litgpt",
            "llamafactory", "llm-foundry", "megatron-core", "ms-swift", "nanotron", "openrlhf", "peft", "torch", "torchao",
            "torchtitan", "torchtune", "transformers", "trl", "unsloth", "verl", "xtuner"]
FIRST_DAY = "2022-01-01"
HEAD = """\
# The day on which a version came out, as [package] "version" = "day". Written by scripts/releases.py from the upload times
# of the Python package index; a version that was not the highest so far on its day is left out.
"""


def days_of(package, index):
    """{version: day} of one package, oldest first."""
    request = urllib.request.Request(f"{index.rstrip('/')}/{package}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    first = {}
    for file in files:
        name = re.sub(r"[-_.]+", "-", file["filename"].lower())
        stem = re.sub(r"(\.whl|\.tar\.gz|\.zip)$", "", file["filename"])[len(package) + 1:]
        version = re.match(r"(\d+(?:\.\d+)+)(?:\.post\d+)?(?:-|$)", stem)
        if file.get("yanked") or not version or not name.startswith(package + "-"):
            continue
        day = file["upload-time"][:10]
        first[version[1]] = min(first.get(version[1], day), day)
    highest, kept = (), {}
    for version, day in sorted(first.items(), key=lambda item: (item[1], [int(part) for part in item[0].split(".")])):
        number = tuple(int(part) for part in version.split("."))
        if number > highest:
            highest = number
            if day >= FIRST_DAY:
                kept[version] = day
    return kept


def main():
    print(HEAD, end="")
    for package in PACKAGES:
        print(f"\n[{package}]")
        for version, day in days_of(package, sys.argv[1]).items():
            print(f'"{version}" = "{day}"')


if __name__ == "__main__":
    main()
