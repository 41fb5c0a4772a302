"""Epochs of SimCSE against sentence-transformers' trainer: sentences a second, in turns.

The same texts, batch size 64, encoder, starting weights, dropout and loss: InfoNCE over two dropout masks,
in one direction, temperature 0.05, which is sentence-transformers' MultipleNegativesRankingLoss over pairs
of a text and itself. Timed: `train(...)` from texts to weights, tokenising included, against
`trainer.train()`; reading texts and models, and the peer's set-up, are not. `without_tokenising` is the same
without the time that tokenising took.

    make bench-peers
    python -m benchmarks training_speed --data DIR --keep
    python -m benchmarks training_speed --data DIR --screen --keep

In one case we also train with parts of the engine taken out (benchmarks/rig/plain_loop.py says how).
`--screen`: which of its settings make the peer faster on a processor; the fastest is its "best setting"
above. Not among them: length groups (its trainer heeds no `train_sampling_strategy`), and weights that are
themselves bf16, which is another training.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import record
from benchmarks.rig import encoders, environments, options, speeds, texts
from benchmarks.rig.turns import System, alternate, alternate_alone, working

BATCH = 64
WARM = 16
"""Texts of an update before the first round, which is not timed."""

REPEATS = 3
REFERENCE = "sentence-transformers, as it comes (fp32)"
OURS = "twinset, as it comes"
BEST: Mapping[str, Any] = {"bf16": True}
"""The peer's fastest setting on a processor, of those in TRIED."""

TRIED: Mapping[str, Mapping[str, Any]] = {
    "bf16": {"bf16": True},
    "bf16, batches made by another process": {
        "bf16": True,
        "dataloader_num_workers": 1,
        "dataloader_persistent_workers": True,
    },
    "bf16, torch.compile": {"bf16": True, "torch_compile": True},
    "fp32, torch.compile": {"torch_compile": True},
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One encoder on texts of one length. tokens: sentences are joined up to so many (None: sentences as
    they are); parts: of our engine are taken out, instead of the peer's best setting; alone: every system
    ends after its turn, since together they would need more memory than there is."""

    name: str
    encoder: str
    tokens: int | None
    max_length: int
    count: int
    parts: bool = False
    alone: bool = False


CASES = (
    Case(name="mini, sentences", encoder="mini", tokens=None, max_length=64, count=2304),
    Case(name="mini, engine in parts", encoder="mini", tokens=None, max_length=64, count=1024, parts=True),
    Case(name="mini, 64 tokens", encoder="mini", tokens=64, max_length=64, count=704),
    Case(name="MiniLM, sentences", encoder="minilm", tokens=None, max_length=64, count=768),
    Case(name="MiniLM, 256 tokens", encoder="minilm", tokens=256, max_length=256, count=64, alone=True),
)


def systems(case: Case, settings: dict[str, Any], *, screen: bool) -> list[System]:
    """Ours and the peer's, all prepared with the same settings."""

    def ours(name: str, engine: str, precision: str) -> System:
        own = {**settings, "engine": engine, "precision": precision}
        return System(
            name=name, python=environments.OURS, module="benchmarks.systems.train_ours", settings=own
        )

    def theirs(name: str, arguments: Mapping[str, Any], *, optional: bool = False) -> System:
        own = {**settings, "arguments": dict(arguments)}
        python = environments.python_of("torch")
        return System(
            name=name,
            python=python,
            module="benchmarks.systems.train_theirs",
            settings=own,
            optional=optional,
        )

    if screen:
        more = [theirs(name, arguments, optional=True) for name, arguments in TRIED.items()]
        return [theirs(REFERENCE, {}), *more]
    both = [ours(OURS, "on", "auto"), theirs(REFERENCE, {})]
    if case.parts:
        return [
            *both,
            ours("twinset, fp32", "on", "fp32"),
            ours("twinset, padded", "padded", "auto"),
            ours("twinset, fp32, without its engine", "off", "fp32"),
        ]
    return [*both, theirs("sentence-transformers, best setting (bf16)", BEST)]


def measured(case: Case, given: argparse.Namespace, place: Path) -> dict[str, Any]:
    """One case: its systems, row by row."""
    encoder = encoders.load(case.encoder, max_length=case.max_length)
    count = BATCH if given.quick else case.count
    read = texts.of_length(given.data, case.tokens, count, encoder)
    settings = {
        "folder": str(encoders.folder(case.encoder, place)),
        "texts": texts.written(read, place / "texts.json"),
        "max_length": case.max_length,
        "batch_size": BATCH,
        "warm": WARM,
    }
    left_out: dict[str, str] = {}
    wanted = systems(case, settings, screen=given.screen)
    if case.alone:
        answers = alternate_alone(wanted, given.repeats)
    else:
        with working(wanted, left_out) as workers:
            answers = alternate(workers, given.repeats)
    check_updates(answers, -(-count // BATCH))
    rows = speeds.rows(answers, count, REFERENCE)
    for row in rows:
        told = answers[row["system"]]
        row["without_tokenising"] = speeds.spread([count / (a["seconds"] - a["tokenising"]) for a in told], 1)
    return {
        "case": case.name,
        "encoder": encoders.NAMES[case.encoder],
        "sentences": count,
        "tokens": texts.mean_tokens(read, encoder),
        "max_length": case.max_length,
        "rows": rows,
        "left_out": left_out,
    }


def check_updates(answers: Mapping[str, list[dict[str, Any]]], expected: int) -> None:
    """Everyone did the whole epoch, and no more."""
    for name, told in answers.items():
        made = {answer["updates"] for answer in told}
        if made != {expected}:
            raise SystemExit(f"{name}: made {sorted(made)} updates where an epoch has {expected}")


def main(arguments: list[str]) -> None:
    """The command line."""
    parser = options.parser(__doc__, repeats=REPEATS)
    names = [case.name for case in CASES]
    parser.add_argument("--cases", nargs="+", choices=names, metavar="CASE", help=f"some of {names}")
    parser.add_argument("--screen", action="store_true", help="the peer's settings, on the first case")
    given = options.parsed(parser, arguments, repeats=REPEATS)
    chosen = [case for case in CASES if case.name in (given.cases or names)]
    chosen = chosen[:1] if given.screen or (given.quick and not given.cases) else chosen
    cases: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        for case in chosen:
            found = measured(case, given, Path(place))
            cases.append(found)
            print(f"{found['case']}: {found['sentences']} texts of {found['tokens']} tokens", flush=True)
            for row in found["rows"]:
                print(speeds.line(row), flush=True)
            for name, why in found["left_out"].items():
                print(f"  left out: {name}: {why}", flush=True)
            keep(cases, given)


def keep(cases: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """What is there so far: a later case that fails takes nothing along."""
    name = "training_speed_screen" if given.screen else "training_speed"
    record.keep(name, {"batch_size": BATCH, "peer": environments.versions("torch"), "cases": cases}, given)
