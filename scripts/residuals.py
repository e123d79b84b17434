#!/usr/bin/env python3
"""Writes lint/estimate/residual_table.h anew: how far published readings lie from the estimates of each stack.

usage: scripts/residuals.py MEASURED.jsonl PREDICTIONS.jsonl [--check] > lint/estimate/residual_table.h

MEASURED holds a published run a line: id, family, config_group (runs of one config), source {repo, path, commit}, use.score_peak,
measured {metric_class, gib_low, gib_high}. PREDICTIONS holds what `oomlint estimate` says of its config: id, gib (likely), lo, hi.
The bands in force are read from the present table and taken out first, so that the script may be run again on its own result.

A row of the table: the percentile 2.5 of reading ÷ low and 97.5 of reading ÷ high, each config counting once, where low and
high are the ends over the scenarios. With fewer than 20 configs these are the extremes. --check prints instead the share of
readings inside the interval when the band of every source is made from the other sources only."""
import collections
import json
import pathlib
import re
import statistics
import sys

TABLE = pathlib.Path(__file__).parent.parent / "lint/estimate/residual_table.h"
STACKS = {"litgpt": "litgpt", "torchtune": "torchtune", "torchao": "torchtune", "torchtitan": "torchtitan", "axolotl": "axolotl",
          "transformers": "hf_trainer", "colossalai": "hf_trainer", "peft": "peft_benchmark", "trl": "trl", "llama-factory": "llama_factory",
          "ms-swift": "ms_swift", "megatron-lm": "megatron", "megatron-bridge": "megatron", "nemo-automodel": "nemo_automodel",
          "finetrainers": "cogvideox_factory"}
METRICS = {"allocated": "allocated", "active": "allocated", "nvidia-smi": "device"}
HUGGING_FACE = {"hf_trainer", "trl", "axolotl", "llama_factory"}
TAIL = 0.025  # outside on each side: a little less than the 5 % aimed at, for runs no figure was seen of
FEWEST = 8  # configs that make a band


def bands_in_force():
    text = TABLE.read_text(encoding="utf-8") + (TABLE.parent / "residuals.cpp").read_text(encoding="utf-8")
    rows = re.findall(r'\{"(\w*)", Metric::(\w+), \{(\d+), (\d+)\}, \{(\d+), (\d+)\}', text)
    return {(stack, metric): (int(a) / int(b), int(c) / int(d)) for stack, metric, a, b, c, d in rows}


def quantile(values, share):
    """Of weighted values; the extreme where there are too few to tell."""
    ordered = sorted(values)
    total = sum(weight for _, weight in ordered)
    if total < 20:
        return ordered[0][0] if share < 0.5 else ordered[-1][0]
    passed = 0.0
    for value, weight in ordered:
        passed += weight
        if passed >= share * total:
            return value
    return ordered[-1][0]


def load(measured, predictions):
    force = bands_in_force()
    said = {row["id"]: row for row in map(json.loads, open(predictions, encoding="utf-8"))}
    rows = []
    for row in map(json.loads, open(measured, encoding="utf-8")):
        prediction, stack = said.get(row["id"]), STACKS.get(row["family"])
        if not row["use"]["score_peak"] or not prediction or not stack:
            continue
        metric = METRICS.get(row["measured"]["metric_class"], "reserved")
        generic = "" if stack in HUGGING_FACE or any(name == stack for name, _ in force) else "unmeasured"
        low, high = force.get((stack, metric)) or force[generic, metric]
        rows.append({"stack": stack, "metric": metric, "config": row["config_group"], "weight": 1 / row["config_group_size"],
                     "source": tuple(row["source"].get(part) for part in ("repo", "path", "commit")), "reading": (row["measured"]["gib_low"], row["measured"]["gib_high"]),
                     "low": prediction["lo"] / low, "likely": prediction["gib"], "high": prediction["hi"] / high})
    return rows


def band(rows):
    low = quantile([(row["reading"][1] / row["low"], row["weight"]) for row in rows], TAIL)
    high = quantile([(row["reading"][0] / row["high"], row["weight"]) for row in rows], 1 - TAIL)
    return min(1.0, low), max(1.0, high)


def error(row):
    low, high = row["reading"]
    return 0.0 if low <= row["likely"] <= high else min(abs(row["likely"] / end - 1) for end in (low, high))


def inside(row, limits):
    return row["low"] * limits[0] <= row["reading"][1] and row["high"] * limits[1] >= row["reading"][0]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    groups = collections.defaultdict(list)
    for row in load(*arguments):
        groups[row["stack"], row["metric"]].append(row)
    if "--check" in sys.argv:
        for (stack, metric), rows in sorted(groups.items()):
            caught = weight = 0.0
            for source in {row["source"] for row in rows}:
                others = [row for row in rows if row["source"] != source] or rows
                limits = band(others)
                for row in (row for row in rows if row["source"] == source):
                    caught, weight = caught + row["weight"] * inside(row, limits), weight + row["weight"]
            print(f"{stack:12} {metric:10} configs {weight:5.1f}  sources {len({row['source'] for row in rows})}  inside {caught / weight:.2f}")
        return
    print("#pragma once\n\n#include \"lint/estimate/residuals.h\"\n\nnamespace oomlint {\n")
    print("// Written by scripts/residuals.py from published runs with a config; see there for what the columns are.")
    print("// clang-format off\ninline constexpr ResidualBand measured_bands[] = {")
    for (stack, metric), rows in sorted(groups.items()):
        configs = round(sum(row["weight"] for row in rows))
        if configs < FEWEST:
            continue
        low, high = band(rows)
        median = statistics.median(error(row) for row in rows)
        print(f'    {{"{stack}", Metric::{metric}, {{{int(low * 1000)}, 1000}}, {{{int(high * 1000) + (high > 1)}, 1000}}, {configs}, {round(median * 100)}}},')
    print("};\n// clang-format on\n\n}  // namespace oomlint")


main()
