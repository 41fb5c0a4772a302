"""The sections of RESULTS.md on speed and memory: what is compared in a line, then the table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.rig.markdown import ranged, table

Record = Mapping[str, Any]

ROUNDS = (
    "Medians over rounds in which all systems took turns, with the slowest and fastest; a ratio is taken "
    "within a round. Memory is the process's peak."
)


def training_speed(record: Record) -> str:
    """Epochs in turns, case by case."""
    about = (
        "Whole epochs of SimCSE, tokenising included, in sentences a second: the same texts, batches of "
        f"{record['batch_size']}, starting weights, dropout and loss. Peer: {_versions(record['peer'])}. "
        f"{ROUNDS}"
    )
    head = ("system", "sentences/s", "ratio", "sentences/s without tokenising", "memory")
    return "\n\n".join([about, *(_case(case, head, _trained) for case in record["cases"])])


def encoding_speed(record: Record) -> str:
    """Encoding in turns, case by case."""
    peers = "; ".join(f"{name}: {_versions(found)}" for name, found in record["peers"].items())
    about = (
        "Texts to vectors, in sentences a second, each system at its defaults but for what its name says. "
        "off: the largest difference of any number to the reference's vectors (the row with ratio 1); "
        f"cosine: the smallest of any text. Peers' environments: {peers}. {ROUNDS}"
    )
    head = ("system", "sentences/s", "ratio", "off", "cosine", "memory")
    return "\n\n".join([about, *(_case(case, head, _encoded) for case in record["cases"])])


def training_memory(record: Record) -> str:
    """Memory by batch size."""
    share = record["cached 512 over plain 64"]
    told = "" if share is None else f" A cached batch of 512 takes {share:.2f} times a plain batch of 64."
    about = (
        "SimCSE on the built-in encoder, sentences of STS-B, each row in a process of its own. More: the "
        f"peak of resident memory less what was held before training began.{told}"
    )
    rows = [
        [
            row["system"],
            row["step"],
            f"{row['batch']:,}",
            f"{row['memory']:,.0f} MiB",
            f"{row['memory_peak']:,.0f} MiB",
            f"{row['sentences_per_second']:,.0f}",
        ]
        for row in record["rows"]
    ]
    head = ("system", "step", "batch", "more", "peak", "sentences/s")
    return "\n\n".join([about, table(head, rows), *_left_out(record["left_out"])])


def encoding_scale(record: Record) -> str:
    """Time and memory by number of sentences."""
    growth = record["growth"]
    told = "" if growth is None else f" From 100,000 sentences to the most, it grew by {growth - 1:+.0%}."
    about = (
        "`encode_file` with the built-in encoder: a file of lines to a file of vectors, each size in a "
        f"process of its own. More: the peak of resident memory less what was held before.{told}"
    )
    rows = [
        [
            f"{row['sentences']:,}",
            f"{row['seconds']:,.1f} s",
            f"{row['sentences_per_second']:,.0f}",
            f"{row['memory']:,.0f} MiB",
            f"{row['memory_peak']:,.0f} MiB",
        ]
        for row in record["rows"]
    ]
    return f"{about}\n\n{table(('sentences', 'time', 'sentences/s', 'more', 'peak'), rows)}"


def step_profile(record: Record) -> str:
    """A step's time by kind of work."""
    before, after = (found["median"] for found in record["seconds"].values())
    about = (
        "One SimCSE step of the built-in encoder on 64 sentences. Before: padded to the batch, torch's "
        f"dropout and attention, fp32: {1000 * before:.0f} ms. After: the engine as it comes: "
        f"{1000 * after:.0f} ms, {before / after:.2f} times as fast. Operations' own time by kind of work."
    )
    rows = [
        [
            row["kind"],
            *(f"{row[f'{side}_ms']:.1f} ms" for side in ("before", "after")),
            *(f"{row[f'{side}_share']:.1%}" for side in ("before", "after")),
        ]
        for row in record["rows"]
    ]
    return f"{about}\n\n{table(('work', 'before', 'after', 'share before', 'share after'), rows)}"


def dev_parity(record: Record) -> str:
    """The dev scores of both loops, seed by seed."""
    about = (
        "STS-B dev after SimCSE on the sentences of STS-B train, from the same seeds: the engine as it "
        "comes, and the plain loop (padded to the batch, torch's dropout and attention, fp32)."
    )
    rows = [
        [
            loop,
            ", ".join(f"{run['dev']:.2f}" for run in runs),
            _spread([run["dev"] for run in runs]),
            _spread([run["dev_last"] for run in runs]),
            f"{statistics.mean(run['seconds'] for run in runs):.0f} s",
        ]
        for loop, runs in _by_loop(record["runs"]).items()
    ]
    head = ("loop", "best look, seed by seed", "best look", "last look", "a run")
    verdicts = [_verdict(record[key], name) for key, name in (("best_look", "best"), ("last_look", "last"))]
    return "\n\n".join([about, table(head, rows), " ".join(verdicts).strip()]).rstrip()


def _case(case: Record, head: Iterable[str], cells: Any) -> str:  # noqa: ANN401 - a function of a row
    about = f"**{case['case']}**: {case['encoder']}, {case['sentences']:,} texts of {case['tokens']} tokens"
    rows = [cells(row) for row in case["rows"]]
    return "\n\n".join(
        [f"{about}, cut at {case['max_length']}.", table(head, rows), *_left_out(case["left_out"])]
    )


def _trained(row: Record) -> list[str]:
    return [*_paced(row), ranged(row["without_tokenising"]), f"{row['memory_peak']:,.0f} MiB"]


def _encoded(row: Record) -> list[str]:
    return [*_paced(row), f"{row['off']:.0e}", f"{row['cosine']:.5f}", f"{row['memory_peak']:,.0f} MiB"]


def _paced(row: Record) -> list[str]:
    return [row["system"], ranged(row["sentences_per_second"]), f"**{ranged(row['ratio'], 2)}**"]


def _left_out(reasons: Mapping[str, str]) -> list[str]:
    return [f"Left out: {name}: {why}" for name, why in reasons.items()]


def _versions(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items())


def _by_loop(runs: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for run in runs:
        found.setdefault(run["loop"], []).append(run)
    return found


def _spread(scores: list[float]) -> str:
    if len(scores) == 1:
        return f"{scores[0]:.2f}"
    return f"{statistics.mean(scores):.2f} ± {statistics.stdev(scores):.2f}"


def _verdict(found: Record | None, name: str) -> str:
    if found is None:
        return ""
    word = "within" if found["within"] else "**more than**"
    return (
        f"Engine less plain loop, {name} look: {found['difference']:+.2f}, {word} two standard errors "
        f"({found['standard_error']:.2f} each)."
    )


def tokenise_once(record: Record) -> str:
    """Tokens made in memory, kept, and read again."""
    rows = [
        [
            row["case"],
            f"{row['wall']:.2f} s",
            f"{row['processor']:.2f} s",
            f"{row['peak, not files']:.0f} MiB",
        ]
        for row in record["rows"]
    ]
    about = (
        "Tokens of a large corpus, in a process each. Memory: the peak above the start, without file pages."
    )
    return about + "\n\n" + table(["case", "time", "processor time", "memory"], rows)


def compile_pays(record: Record) -> str:
    """Updates with compiled layers and without, in turns."""
    rows = [
        [
            row["recipe"],
            row["precision"],
            *(f"{row[how]['processor']:.3f} s" for how in ("plain", "compiled")),
            f"{row['first, processor']:.0f} s",
            f"{row['pays after updates']:,.0f}" if row["pays after updates"] else "never",
            f"{row['largest difference of a loss']:.0e}",
        ]
        for row in record["rows"]
    ]
    head = [
        "recipe",
        "precision",
        "plain",
        "compiled",
        "compiling first",
        "pays after updates",
        "losses apart",
    ]
    return "Processor seconds an update, medians.\n\n" + table(head, rows)
