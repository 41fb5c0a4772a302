"""RESULTS.md, made from the dated files in `results/`: no figure in it is typed.

python -m benchmarks.results_page > RESULTS.md
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from typing import Any

from benchmarks.record import RESULTS
from benchmarks.rig import tables
from benchmarks.rig.markdown import table

HEAD = """# Results

Every figure here comes from a file in [benchmarks/results](benchmarks/results/), and this page from those
files: `python -m benchmarks.results_page > RESULTS.md`. DIR after `--data` is a folder with the public STS
files. Correlations are Spearman's x 100, "all" protocol. ± is the standard deviation over seeds. What fell
short, or came out other than hoped, stands here too.
"""

Record = dict[str, Any]


def newest(name: str) -> Record | None:
    """The latest record of one benchmark."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    found = [record for record in records if record["benchmark"] == name]
    return max(found, key=lambda record: record["date"], default=None)


def spread(values: list[float]) -> str:
    """Mean and standard deviation."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f}"


def protocol(record: Record) -> str:
    """One encoder after another on the seven tasks."""
    tasks = list(record["encoders"][0]["tasks"])
    rows = [
        [found["name"], *(f"{found['tasks'][task]:.2f}" for task in tasks), f"**{found['average']:.2f}**"]
        for found in record["encoders"]
    ]
    return table(["encoder", *tasks, "average"], rows)


def baselines(record: Record) -> str:
    """What needs no training, by what it was fitted on."""
    tasks = list(record["rows"][0]["tasks"])
    rows = [
        [
            found["name"],
            found["fitted on"],
            *(f"{found['tasks'][task]:.2f}" for task in tasks),
            f"**{spread(found['averages'])}**",
        ]
        for found in record["rows"]
    ]
    return table(["system", "fitted on", *tasks, "average"], rows)


def grouped(runs: list[Record]) -> dict[str, list[Record]]:
    """Runs by label, in the order they come."""
    labels = dict.fromkeys(run["label"] for run in runs)
    return {label: [run for run in runs if run["label"] == label] for label in labels}


def training(record: Record) -> str:
    """Gains on dev, and what the frozen settings gave on test."""
    tasks = list(record["runs"][0]["test"])
    rows = [
        [
            label,
            len(runs),
            spread([run["dev"] for run in runs]),
            f"**+{spread([run['dev'] - run['dev_raw'] for run in runs])}**",
            *(spread([run["test"][task] for run in runs]) for task in tasks),
            f"**{spread([run['average'] for run in runs])}**",
        ]
        for label, runs in grouped(record["runs"]).items()
    ]
    return table(["recipe", "seeds", "STS-B dev", "gain on dev", *tasks, "average"], rows)


def screening(record: Record) -> str:
    """The points of the grid, best first."""
    points = sorted(
        grouped(record["runs"]).items(),
        key=lambda point: -statistics.mean(run["dev"] for run in point[1]),
    )
    rows = [
        [
            label,
            len(runs),
            f"{statistics.mean(run['dev'] for run in runs):.2f}",
            f"{statistics.mean(run['dev_course'][-1] for run in runs):.2f}",
        ]
        for label, runs in points
    ]
    head = ["setting (lr: learning rate, t: temperature)", "seeds", "best look, mean", "last look, mean"]
    return table(head, rows)


def steps(record: Record) -> str:
    """How far two steps' losses, vectors and gradients are apart at most."""
    rows = [[row["architecture"], row["comparisons"], f"{row['largest']:.1e}"] for row in record["rows"]]
    known = ", ".join(record["objectives"])
    return f"Objectives: {known}.\n\n" + table(["architecture", "comparisons", "largest difference"], rows)


def kills(record: Record) -> str:
    """How the killed runs died, and whether they all ended alike."""
    rows = [
        [
            number,
            " + ".join(run["struck"]),
            run["starts"],
            "same" if all(run["same"].values()) else "**differs**",
        ]
        for number, run in enumerate(record["runs"], start=1)
    ]
    return table(["run", "killed", "processes", "bytes at the end"], rows)


def faults(record: Record) -> str:
    """Mutants by room."""
    rows = [[row["room"], row["mutants"], row["caught"]] for row in record["rows"]]
    total = [sum(row[key] for row in record["rows"]) for key in ("mutants", "caught")]
    return table(["room", "mutants", "caught"], [*rows, ["**all**", *total]])


def refusals(record: Record) -> str:
    """Malformed inputs, counted."""
    rows = [[row["cases"], row["refused"], row["failed tests"]] for row in record["rows"]]
    return table(["cases", "refused with exit code 2 and a message", "tests failed"], rows)


def contact(record: Record) -> str:
    """What a newcomer waits for."""
    names = ("python -c pass", "import twinset", "twinset --help")
    rows = [
        [
            name,
            f"{record[name]['median']:.3f} s",
            f"{record[name]['least']:.3f} to {record[name]['most']:.3f} s",
        ]
        for name in names
    ]
    clone = [[name, f"{seconds:.0f} s", "once"] for name, seconds in record.get("fresh clone", {}).items()]
    return table(["what", "median of 11, or once", "range"], [*rows, *clone])


def manuals(record: Record) -> str:
    """The demo: what each system found, what the training gained, and where the time went."""
    systems = {"raw": "raw", "trained": "trained", "tfidf": "TF-IDF", "bm25": "BM25"}
    words = record["dev"]["words"]
    last = f"{systems[words]} + trained"
    rows = [
        [
            f"{each['kind'].replace('_', ' ')}, {each['package']}",
            each["metric"],
            f"{each['questions']:,}",
            f"{each['candidates']:,}",
            *(f"{each['scores'][system]:.1f}" for system in (*systems, "with_trained")),
        ]
        for each in record["figures"]
    ]
    gains = [
        [each["kind"].replace("_", " "), bounded(each["trained over raw"]), bounded(each[beside])]
        for each in record["means"]
        for beside in [f"with trained over {words}"]
    ]
    times = [[stage, f"{seconds:.0f} s"] for stage, seconds in record["seconds"].items()]
    return "\n\n".join(
        [
            table(["questions", "metric", "how many", "among", *systems.values(), last], rows),
            table(["mean, points", "trained over raw", f"{last} over {systems[words]}"], gains),
            table(["stage", "time"], times),
        ]
    )


def bounded(gain: Record) -> str:
    """A gain and its 95% interval."""
    return f"{gain['points']:+.1f} ({gain['low']:+.1f} to {gain['high']:+.1f})"


def calibration(record: Record) -> str:
    """Every cell: how often each interval holds the truth, how often a difference is claimed, in percent."""
    rows = [
        [
            cell["data"],
            cell["kind"],
            str(cell["n"]),
            str(cell["runs"]),
            *(
                f"{100 * cell['held'][name]:.1f}" if name in cell["held"] else "-"
                for name in ("twinset", "seeds resampled", "items alone")
            ),
            f"{100 * cell['claimed']['twinset']:.1f}",
        ]
        for cell in record["cells"]
    ]
    head = [
        "data",
        "kind",
        "items",
        "runs a side",
        "twinset holds",
        "seeds resampled",
        "items alone",
        "claims",
    ]
    return table(head, rows)


SECTIONS: tuple[tuple[str, str, Callable[[Record], str]], ...] = (
    ("sts_protocol", "The protocol, against published figures", protocol),
    ("train_stsb", "SimCSE and ConSERT on the 10,536 sentences of STS-B train, two epochs", training),
    ("train_stsb_screen", "How those settings were chosen", screening),
    ("baselines_sts", "What contrastive learning must beat", baselines),
    ("training_speed", "Training, against sentence-transformers", tables.training_speed),
    ("training_speed_screen", "What makes the peer's training faster", tables.training_speed),
    ("training_memory", "Memory by batch size", tables.training_memory),
    ("step_profile", "Where a training step's time goes", tables.step_profile),
    ("compile_pays", "Whether compiled layers pay", tables.compile_pays),
    ("tokenise_once", "Tokens kept on disk", tables.tokenise_once),
    ("dev_parity", "The engine learns what the plain loop learns", tables.dev_parity),
    ("encoding_speed", "Encoding, against sentence-transformers", tables.encoding_speed),
    ("encoding_scale", "A thousand to a million sentences", tables.encoding_scale),
    ("evidence_calibration", "Do the intervals keep their promise", calibration),
    ("steps_agree", "Cached = plain", steps),
    ("resume_kills", "Killed and resumed", kills),
    ("mutants", "One fault for every mechanism", faults),
    ("bad_input", "Malformed input", refusals),
    ("demo", "The demo: manuals of packages that were held out whole", manuals),
    ("first_contact", "The first minutes", contact),
)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, title, show in SECTIONS:
        record = newest(name)
        if record is not None:
            parts.append(section(title, record) + show(record) + "\n")
    missing = [f"`{name}`" for name, _, _ in SECTIONS if newest(name) is None]
    if missing:
        parts.append(f"## Not measured yet\n\n{', '.join(missing)}\n")
    return "\n".join(parts)


def section(title: str, record: Record) -> str:
    """What stands above every table: the command, the day, the commit and the machine."""
    machine = ", ".join(f"{key} {value}" for key, value in record["machine"].items())
    commit = f", commit {record['commit']}" if record.get("commit") else ""
    remark = f"{record['remark']}\n\n" if "remark" in record else ""
    return f"## {title}\n\n`{record['command']}`  \n{record['date']}{commit}; {machine}\n\n{remark}"


if __name__ == "__main__":
    print(page(), end="")
