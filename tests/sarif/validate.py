#!/usr/bin/env python3
"""Checks SARIF logs: Microsoft's validator with every rule of policy.xml, and the JSON schema of SARIF 2.1.0.

usage: validate.py [--tool FOLDER] [--no-revision] FILE...

The validator comes from npm (@microsoft/sarif-multitool-linux, pinned below) and is installed once into FOLDER (default:
build/sarif). Without npm, or on a machine it does not run on, that check is skipped and said so; likewise the schema check
without Python's jsonschema. --no-revision forgives SARIF2003: the log of a folder that is under no version control has no
revision to name. Exit code: 0 all that ran passed, 1 findings."""
import argparse
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "@microsoft/sarif-multitool-linux"
VERSION = "5.7.0"


def install(folder):
    """The package's folder, or why there is none."""
    package = folder / "node_modules" / PACKAGE
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return None, f"{PACKAGE} runs on Linux x86_64 only"
    if not (package / "Sarif.Multitool").exists():
        if shutil.which("npm") is None:
            return None, "npm is not installed"
        folder.mkdir(parents=True, exist_ok=True)
        npm = subprocess.run(
            ["npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, f"{PACKAGE}@{VERSION}"],
            capture_output=True, text=True)
        if npm.returncode != 0:
            return None, f"npm could not install {PACKAGE}@{VERSION}: {npm.stderr.strip()[-300:]}"
    (package / "Sarif.Multitool").chmod(0o755)
    return package, ""


def run_multitool(package, path, forgiven):
    """Findings as text. The exit code says nothing (0 even with errors): the tool's own log is read."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "out.sarif"
        tool = subprocess.run(
            [package / "Sarif.Multitool", "validate", path, "-c", HERE / "policy.xml", "--rule-kind", "Sarif;Ghas",
             "--level", "Error;Warning;Note", "-o", log, "--log", "ForceOverwrite"], capture_output=True, text=True)
        if not log.exists():
            return [f"the validator wrote no log (exit {tool.returncode}): {tool.stdout.strip()[-500:]}"]
        run = json.loads(log.read_text(encoding="utf-8-sig"))["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"].get("rules", [])}
    findings = []
    for result in run.get("results", []):
        rule = result.get("ruleId", "?")
        if rule in forgiven:
            continue
        message = result["message"]
        text = message.get("text") or rules[rule]["messageStrings"][message["id"]]["text"]
        for index, argument in enumerate(message.get("arguments", [])):
            text = text.replace("{%d}" % index, argument)
        region = result["locations"][0]["physicalLocation"].get("region", {}) if result.get("locations") else {}
        findings.append(f"{rule} line {region.get('startLine', '?')}: {text}")
    return findings


def own_checks(log):
    """What neither the validator nor the schema looks at."""
    findings = []
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        seen = set()
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                findings.append(f"ruleIndex and ruleId differ: {result['ruleId']}")
            physical = result["locations"][0]["physicalLocation"]
            uri, region = physical["artifactLocation"]["uri"], physical["region"]
            if not uri or ":" in uri.split("/")[0] and not uri.startswith("file:"):
                findings.append(f"a code host refuses this URI: {uri!r}")
            if region.get("endLine", region["startLine"]) != region["startLine"]:
                findings.append(f"the region of {result['ruleId']} has more than one line")
            key = (result["ruleId"], uri, region["startLine"], bool(result.get("suppressions")))
            if key in seen:
                findings.append(f"two results of one rule on one line: {key}")
            seen.add(key)
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, default=HERE.parent.parent / "build" / "sarif")
    parser.add_argument("--no-revision", action="store_true")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()

    package, why_not = install(arguments.tool)
    validator = None
    if package is None:
        print(f"SKIPPED: Microsoft's validator: {why_not}")
        print("SKIPPED: JSON schema: it ships with the validator")
    else:
        try:
            import jsonschema
            validator = jsonschema.validators.validator_for(schema := json.loads((package / "sarif-2.1.0.json").read_text()))(schema)
        except ImportError:
            print("SKIPPED: JSON schema: Python's jsonschema is not installed")

    failed = 0
    for path in arguments.files:
        log = json.loads(path.read_text(encoding="utf-8"))
        findings = own_checks(log)
        if package is not None:
            findings += run_multitool(package, path, {"SARIF2003"} if arguments.no_revision else set())
        if validator is not None:
            findings += [f"schema: {error.json_path}: {error.message[:200]}" for error in validator.iter_errors(log)]
        for finding in findings:
            print(f"{path}: {finding}")
        failed += bool(findings)
    checks = "own checks" + (", validator" if package else "") + (", schema" if validator else "")
    print(f"{len(arguments.files)} SARIF logs ({checks}): {len(arguments.files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
