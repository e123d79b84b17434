"""Compares what our readers make of files with what Python's readers make of them.

    differential.py DOCUMENT_DUMP FOLDER

Every YAML, TOML and JSON file below FOLDER must be accepted by both or refused by both, have the same structure and the
same scalars, and spans that hold them. Exits 77 (skipped) without the folder or PyYAML.
"""

import datetime
import json
import math
import pathlib
import subprocess
import sys
import tomllib

try:
    import yaml
except ImportError:
    print("SKIPPED: PyYAML is not installed")
    sys.exit(77)

YamlLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Mismatch(Exception):
    pass


def expect(condition, where, ours, theirs):
    if not condition:
        raise Mismatch(f"{where}: ours {ours!r}, theirs {theirs!r}")


class Comparison:
    """One file: the dump's tree against the other reader's."""

    def __init__(self, source: bytes):
        self.source = source
        self.scalars = 0

    def check_span(self, node, where):
        """The span of a scalar is not empty; where it is one plain line, it reads as the scalar."""
        begin, end = node["span"]
        text = self.source[begin:end].decode()
        expect(text != "" or node.get("empty"), where, "an empty span", node["text"])
        if node.get("plain") and node["text"] and "\n" not in text:
            expect(text == node["text"], where, text, node["text"])
        if "key" in node:
            begin, end = node["key_span"]
            expect(begin < end or node["key"] == "", where, "an empty key span", node["key"])
        self.scalars += 1


class YamlComparison(Comparison):
    """Node graphs: PyYAML composes what our document holds, before any typing."""

    def __init__(self, source):
        super().__init__(source)
        self.ours_of_theirs = {}

    def compare(self, ours, theirs, where=""):
        if ours["kind"] == "alias":
            expect(self.ours_of_theirs.get(id(theirs)) == ours.get("of"), where, ours, theirs)
            return
        expect(id(theirs) not in self.ours_of_theirs, where, ours, "an alias")
        self.ours_of_theirs[id(theirs)] = ours["id"]
        children = ours.get("children", [])
        if isinstance(theirs, yaml.MappingNode):
            expect(ours["kind"] == "mapping" and len(children) == len(theirs.value), where, ours, theirs)
            for child, (key, value) in zip(children, theirs.value):
                if isinstance(key, yaml.ScalarNode):
                    expect(child["key"] == key.value, where, child["key"], key.value)
                self.compare(child, value, f"{where}.{child['key']}")
        elif isinstance(theirs, yaml.SequenceNode):
            expect(ours["kind"] == "sequence" and len(children) == len(theirs.value), where, ours, theirs)
            for index, (child, value) in enumerate(zip(children, theirs.value)):
                self.compare(child, value, f"{where}[{index}]")
        else:
            null = theirs.tag == "tag:yaml.org,2002:null"
            expect(ours["kind"] == ("null" if null else "scalar"), where, ours, theirs)
            expect(ours["text"] == theirs.value, where, ours["text"], theirs.value)
            if not null:
                expect(ours["plain"] == (not theirs.style), where, ours, theirs)
            self.check_span(ours, where)


class ValueComparison(Comparison):
    """Values: a JSON or TOML document against the objects of Python's reader."""

    def compare(self, ours, theirs, where=""):
        children = ours.get("children", [])
        if isinstance(theirs, Pairs):
            expect(ours["kind"] == "mapping", where, ours, theirs)
            mine = [child["key"] for child in children]
            expect(mine == [key for key, _ in theirs.pairs], where, mine, theirs.pairs)
            for child, (key, value) in zip(children, theirs.pairs):
                self.compare(child, value, f"{where}.{key}")
        elif isinstance(theirs, dict):
            # TOML: ours come in the order of the file.
            expect(ours["kind"] == "mapping", where, ours, theirs)
            mine = {child["key"]: child for child in children}
            expect(mine.keys() == theirs.keys() and len(mine) == len(children), where, sorted(mine), sorted(theirs))
            begins = [child["key_span"][0] for child in children]
            expect(begins == sorted(begins), where, begins, "keys in source order")
            for key, value in theirs.items():
                self.compare(mine[key], value, f"{where}.{key}")
        elif isinstance(theirs, list):
            expect(ours["kind"] == "sequence" and len(children) == len(theirs), where, ours, theirs)
            for index, (child, value) in enumerate(zip(children, theirs)):
                self.compare(child, value, f"{where}[{index}]")
        else:
            self.compare_scalar(ours, theirs, where)
            self.check_span(ours, where)

    def compare_scalar(self, ours, theirs, where):
        text = ours["text"]
        if theirs is None:
            expect(ours["kind"] == "null", where, ours, theirs)
            return
        expect(ours["kind"] == "scalar", where, ours, theirs)
        if isinstance(theirs, str):
            expect(not ours["plain"] and text == theirs, where, text, theirs)
        elif isinstance(theirs, bool):
            expect(ours["plain"] and text == str(theirs).lower(), where, text, theirs)
        elif isinstance(theirs, int):
            expect(ours["plain"] and int(text, 0) == theirs, where, text, theirs)
        elif isinstance(theirs, float):
            same = math.isnan(theirs) and "nan" in text.lower() or float(text) == theirs
            expect(ours["plain"] and same, where, text, theirs)
        else:
            expect(isinstance(theirs, (datetime.datetime, datetime.date, datetime.time)), where, text, theirs)
            expect(ours["plain"] and type(theirs).fromisoformat(text) == theirs, where, text, theirs)


class Pairs:
    """A JSON object with its duplicate keys."""

    def __init__(self, pairs):
        self.pairs = pairs


def read_yaml(source):
    """The first document with a value: that is the one we read."""
    for node in yaml.compose_all(source.decode(), YamlLoader):
        if node is not None and not (isinstance(node, yaml.ScalarNode) and node.value == "" and not node.style):
            return node
    return None


READERS = {
    ".yaml": (read_yaml, YamlComparison),
    ".yml": (read_yaml, YamlComparison),
    ".toml": (lambda source: tomllib.loads(source.decode()), ValueComparison),
    ".json": (lambda source: json.loads(source.decode(), object_pairs_hook=Pairs), ValueComparison),
}


def compare_file(dump, source):
    """The number of scalars compared; raises Mismatch."""
    read, comparison_type = READERS[pathlib.Path(dump["path"]).suffix]
    problems = dump["problems"]
    try:
        theirs = read(source)
    except (yaml.YAMLError, ValueError) as error:
        # Comments in JSON are read although Python refuses them.
        comments = dump["path"].endswith(".json") and b"//" in source
        expect(problems or comments, "accepted", "no problem", str(error))
        return 0
    expect(not problems and not dump["partial"], "refused", problems, "no error")
    if theirs is None:
        expect("root" not in dump, "root", dump.get("root"), None)
        return 0
    comparison = comparison_type(source)
    comparison.compare(dump["root"], theirs)
    return comparison.scalars


def main(dump_binary, folder):
    root = pathlib.Path(folder)
    if not root.is_dir():
        print(f"SKIPPED: reference data not present ({root.name})")
        return 77
    files = sorted(path for path in root.rglob("*") if path.suffix in READERS and path.stat().st_size <= 1 << 20)
    names = "".join(f"{path}\n" for path in files)
    lines = subprocess.run([dump_binary], input=names, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    failures, scalars, refused = [], 0, 0
    if len(lines) != len(files):
        failures.append(f"{len(files)} files gave {len(lines)} lines")
    for path, line in zip(files, lines):
        dump = json.loads(line)
        try:
            scalars += compare_file(dump, path.read_bytes())
            refused += bool(dump["problems"])
        except Mismatch as mismatch:
            failures.append(f"{path.relative_to(root)}: {mismatch}")
    print(f"{len(files)} files, {scalars} scalars compared, {refused} files refused by both, {len(failures)} differ")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
