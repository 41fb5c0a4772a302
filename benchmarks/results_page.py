"""RESULTS.md, made from the dated files in `results/`: no figure in it is typed.

    python -m benchmarks.results_page > RESULTS.md
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")
HEAD = """# Results

Every figure here comes from a file in `benchmarks/results/`; `python -m benchmarks.results_page > RESULTS.md` makes this
page. `--data DIR` is a folder with the public STS files (`sts_en/*.parquet`; the README says how it is laid out).
Spearman's correlation is given x 100, "all" protocol. What fell short, or came out other than hoped, stands here too.
"""

Record = dict[str, Any]


def newest(name: str) -> list[tuple[str, Record]]:
    """The records of one benchmark, newest first, with their dates."""
    found = [(path.name[:10], json.loads(path.read_text())) for path in sorted(RESULTS.glob("*.json"), reverse=True)]
    return [(date, record) for date, record in found if record["benchmark"] == name]


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def spread(values: list[float]) -> str:
    """Mean and standard deviation."""
    return f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def protocol(record: Record) -> str:
    """One encoder after another on the seven tasks."""
    tasks = list(record["encoders"][0]["tasks"])
    rows = [
        [encoder["name"], *(f"{encoder['tasks'][task]:.2f}" for task in tasks), f"**{encoder['average']:.2f}**"]
        for encoder in record["encoders"]
    ]
    return table(["encoder", *tasks, "average"], rows)


def training(record: Record) -> str:
    """Gains on dev, and what the frozen settings gave on test."""
    rows: list[list[object]] = []
    for label in dict.fromkeys(run["label"] for run in record["runs"]):
        runs = [run for run in record["runs"] if run["label"] == label]
        tasks = [spread([run["test"][task] for run in runs]) for task in runs[0]["test"]]
        gain = spread([run["dev"] - run["dev_raw"] for run in runs])
        dev = spread([run["dev"] for run in runs])
        average = spread([run["average"] for run in runs])
        rows.append([label, len(runs), dev, f"**+{gain}**", *tasks, f"**{average}**"])
    tasks = list(record["runs"][0]["test"])
    return table(["recipe", "seeds", "dev", "gain on dev", *tasks, "average"], rows)


def screening(record: Record) -> str:
    """The points of the grid, best first."""
    points: dict[str, list[Record]] = {}
    for run in record["runs"]:
        extra = "".join(f", {name} {value}" for name, value in run["extra"].items())
        points.setdefault(f"{run['name']}, lr {run['lr']:g}, temperature {run['tau']:g}{extra}", []).append(run)
    ordered = sorted(points.items(), key=lambda point: -statistics.mean(run["best"] for run in point[1]))
    rows = [
        [label, *(f"{run['best']:.2f}" for run in runs), *(f"{run['course'][-1]:.2f}" for run in runs)]
        for label, runs in ordered
    ]
    return table(["setting", "best look, seed 1", "seed 2", "last look, seed 1", "seed 2"], rows)


def kills(record: Record) -> str:
    """How the killed runs died, and that they all ended alike."""
    rows = [[run["kind"], run["where"], run["resumes"], "yes" if run["identical"] else "**no**"] for run in record["runs"]]
    return table(["killed", "where", "times resumed", "same bytes at the end"], rows)


def contact(record: Record) -> str:
    """What a newcomer waits for."""
    names = ("python -c pass", "import twinset", "twinset --help")
    rows = [
        [name, f"{record[name]['median']:.3f} s", f"{record[name]['least']:.3f} to {record[name]['most']:.3f} s"]
        for name in names
    ]
    clone = [[name, f"{seconds:.0f} s", ""] for name, seconds in record.get("fresh clone", {}).items()]
    return table(["what", "median of 11, or once", "range"], [*rows, *clone])


SECTIONS: tuple[tuple[str, str, str, Callable[[Record], str]], ...] = (
    ("sts_protocol", "The protocol, against published figures", "python -m benchmarks.sts_protocol --data DIR", protocol),
    (
        "train_stsb",
        "SimCSE and ConSERT on the sentences of STS-B train",
        "python -m benchmarks.train_stsb --data DIR --seeds 11 12 13 14 15 --out runs/stsb",
        training,
    ),
    (
        "train_stsb screening",
        "How those settings were chosen",
        "python -m benchmarks.train_stsb --data DIR --seeds 1 2 --out runs/screen --screen",
        screening,
    ),
    ("resume_kills", "Killed and resumed", "python -m benchmarks.resume_kills --kills 20", kills),
    ("first_contact", "The first minutes", "python -m benchmarks.first_contact --clone", contact),
)


def main() -> None:
    print(HEAD)
    for name, title, command, show in SECTIONS:
        for date, record in newest(name):
            machine = ", ".join(f"{key} {value}" for key, value in record.get("machine", {}).items())
            print(f"## {title}\n\n`{command}`, {date}{'; ' + machine if machine else ''}\n")
            if "remark" in record:
                print(record["remark"] + "\n")
            print(show(record) + "\n")


if __name__ == "__main__":
    main()
