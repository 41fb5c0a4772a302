"""What contrastive learning must beat on the seven STS tasks: words, poolings, whitening and flow.

python -m benchmarks baselines_sts --data DIR --keep
"""

from __future__ import annotations

import logging
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

import twinset as ts
from benchmarks import record
from twinset.baselines import (
    BM25,
    BertFlow,
    FlowSettings,
    InputWords,
    Pooled,
    Sif,
    TfIdf,
    Whitening,
    WordAverage,
    pooled,
    texts_of,
)
from twinset.data.texts import Texts
from twinset.evaluation import Encodes, Suite, evaluate, suites

SENTENCES = "text_en/wiki_sentences.parquet"
COLUMNS = 4096
UNTRAINED = 1e-12  # so low a rate leaves the flow as it begins

Made = Callable[[Texts], Encodes]
Row = dict[str, object]

OWN, EACH, OTHERS = "the seven tasks' texts (transductive)", "each task's texts (transductive)", "{:,} others"


def main(arguments: list[str]) -> None:
    parser = record.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--others", type=int, default=20_000, help="sentences to fit on besides (20,000)")
    parser.add_argument("--seeds", type=int, default=3, help="flows of each kind (3)")
    given = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    suite = suites.sts(given.data)
    others = ts.data.read_sentences(given.data / SENTENCES).columns[0][: given.others]
    raw = ts.Encoder.mini()
    poolings = pooled(raw, texts=[*texts_of(suite), *others])
    table = InputWords(raw)
    rows = [_row(system.name, "-", [_of(system, suite)]) for system in (*poolings, WordAverage(table))]
    for name, made in _fitted(table, poolings, given.seeds):
        fits = {OWN: texts_of(suite), EACH: None, OTHERS.format(len(others)): others}
        for label, texts in fits.items():
            rows.append(_row(name, label, [_scores(each, suite, texts) for each in made]))
    record.keep("baselines_sts", {"rows": rows}, given)


def _fitted(table: InputWords, poolings: Sequence[Pooled], seeds: int) -> list[tuple[str, list[Made]]]:
    """Everything that is fitted to texts; flows once for each seed."""
    found: list[tuple[str, list[Made]]] = [
        ("TF-IDF", [lambda texts: TfIdf(texts, columns=COLUMNS)]),
        ("BM25", [lambda texts: BM25(texts, columns=COLUMNS)]),
        (f"{table.name}, SIF", [lambda texts: WordAverage(table, texts, sif=Sif())]),
    ]
    for points in poolings:
        if points.pooling not in ("mean", "first_last", "last_two"):
            continue
        found.append((f"{points.name}, whitened", [_whitened(points)]))
        found.append((f"{points.name}, flow", [_flow(points, seed) for seed in range(seeds)]))
        begun = [_flow(points, seed, learning_rate=UNTRAINED) for seed in range(seeds)]
        found.append((f"{points.name}, flow as it begins", begun))
    return found


def _whitened(points: Pooled) -> Made:
    return lambda texts: Whitening(points, texts)


def _flow(points: Pooled, seed: int, learning_rate: float = 1e-3) -> Made:
    settings = FlowSettings(seed=seed, learning_rate=learning_rate)
    return lambda texts: BertFlow(points, texts, settings=settings)


def _scores(made: Made, suite: Suite, texts: Texts | None) -> dict[str, float]:
    """What is made from these texts; without any, from each task's own."""
    parts = [suite] if texts is not None else [Suite(name=task.name, tasks=(task,)) for task in suite.tasks]
    found: dict[str, float] = {}
    for part in parts:
        found |= _of(made(texts_of(part) if texts is None else texts), part)
    return found


def _of(system: Encodes, suite: Suite) -> dict[str, float]:
    """Spearman x 100 by task."""
    scores = evaluate(system, suite)
    return {task: 100 * scores.task(task).correlations("spearman").under("all") for task in scores.tasks}


def _row(name: str, fitted_on: str, runs: Sequence[dict[str, float]]) -> Row:
    averages = [statistics.mean(run.values()) for run in runs]
    tasks = {task: statistics.mean(run[task] for run in runs) for task in runs[0]}
    print(f"{name}, fitted on {fitted_on}:", *(f"{value:.2f}" for value in (*tasks.values(), *averages)))
    return {"name": name, "fitted on": fitted_on, "tasks": tasks, "averages": averages}
