"""Exact resume, proven by killing: a run killed at any moment and resumed ends in the same bytes.

A small training run is made once unbroken. Then it is made again and again, each time killed with SIGKILL:
half of the times at a random moment, half of them inside one named file operation (before it, after it, or
with half of its bytes written) or while the model's folder is being saved. After a kill it is resumed, as a
user would, and perhaps killed once more, until it ends. Then the model's weights and card, `scores.json`,
`log.jsonl` (but for its clock and memory fields) and the list of files must be those of the unbroken run.

    python -m benchmarks resume_kills --kills 20 --seed 0 --keep
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmarks import record

if TYPE_CHECKING:
    from twinset.training.disk import Disk

Moment = Literal["before", "middle", "after"]
FINISHED, NOTHING_YET = "this run is finished", "no such checkpoint"
CLOCK = ("sentences_per_second", "memory_mib")


@dataclass(frozen=True, kw_only=True)
class Kill:
    """Where one kill strikes. operation `moment`: after `delay` seconds of training; `saving`: while the
    model's folder is written; else the `number`th file operation of that kind."""

    operation: str
    when: Moment = "before"
    number: int = 1
    delay: float = 0.0

    def __str__(self) -> str:
        if self.operation == "moment":
            return f"after {self.delay:.2f} s"
        return "saving" if self.operation == "saving" else f"{self.when} {self.operation} {self.number}"


PLACES = (
    Kill(operation="write", when="middle"),
    Kill(operation="write", when="after"),
    Kill(operation="sync file", when="after"),
    Kill(operation="rename", when="before"),
    Kill(operation="rename", when="after"),
    Kill(operation="sync folder", when="after"),
    Kill(operation="append", when="middle"),
    Kill(operation="remove", when="before"),
    Kill(operation="remove", when="after"),
    Kill(operation="saving"),
)
"""Every kind of file operation, and the one place that goes through no `Disk`."""


def die() -> None:
    """As a power cut would: nothing is flushed, no handler runs."""
    os.kill(os.getpid(), signal.SIGKILL)


def disk(kill: Kill | None, counts: dict[str, int]) -> Disk:
    """A `Disk` that counts its operations by kind, and kills its own process within one of them."""
    from twinset.training.disk import Disk

    class Deadly(Disk):
        def write(self, path: Path, content: bytes) -> None:
            around("write", lambda part: Disk.write(self, path, part), content)

        def append(self, path: Path, content: bytes) -> None:
            around("append", lambda part: Disk.append(self, path, part), content)

        def sync(self, path: Path) -> None:
            around("sync folder" if path.is_dir() else "sync file", lambda _: Disk.sync(self, path))

        def rename(self, source: Path, target: Path) -> None:
            around("rename", lambda _: Disk.rename(self, source, target))

        def remove(self, path: Path) -> None:
            around("remove", lambda _: Disk.remove(self, path))

    def around(kind: str, operate: Callable[[bytes], None], content: bytes = b"") -> None:
        counts[kind] = counts.get(kind, 0) + 1
        mine = kill is not None and kill.operation == kind and kill.number == counts[kind]
        if mine and kill.when == "before":
            die()
        if mine and kill.when == "middle":
            operate(content[: len(content) // 2])
            die()
        operate(content)
        if mine:
            die()

    return Deadly()


def training(folder: Path, *, kind: str, resume: bool, made_with: Disk) -> None:
    """The run itself: small, and with all that a checkpoint must hold."""
    import numpy as np

    from tests.encoder.tiny import tiny_encoder
    from twinset.data import Sentences
    from twinset.encoder import Encoder
    from twinset.negatives import Queue
    from twinset.objectives import InfoNCE
    from twinset.training import Recipe, Recording, Select, train
    from twinset.views import FeatureCutoff, Pair, TokenShuffle

    encoder = Encoder.mini(device="cpu") if kind == "mini" else tiny_encoder("bert")
    beginnings = ("a cat", "the dog", "two men", "my password", "the printer", "a red car", "rain", "a woman")
    ends = ("sat on the mat", "runs in the park", "does not work", "is playing guitar", "falls", "is slow")
    texts = [f"{first} {last}" for first in beginnings for last in ends]

    def watch(pupil: Encoder) -> Mapping[str, float]:
        vectors = pupil.encode(texts, normalize=True)
        return {"spread": float(-(vectors @ vectors.T).mean()), "first": float(np.mean(vectors[:, 0]))}

    recipe = Recipe(
        views=Pair(FeatureCutoff(rate=0.2), TokenShuffle()),
        objective=InfoNCE(temperature=0.1),
        memory=Queue(),
        batch_size=10,
        learning_rate=1e-3,
        epochs=7.5,
        select=Select(every=4, metric="first"),  # it rises: the model kept at the end is a late one
        evaluation_pooling="last_two",
    )
    how = Recording(log_every=1, save_every=3, progress=False, disk=made_with)
    data = Sentences(texts)
    train(encoder, data, recipe, dev=watch, seed=1, out=folder, resume=resume, recording=how)


def load() -> None:
    """All that a run imports, before any clock starts: kills are to strike the run itself."""
    import torch

    import tests.encoder.tiny  # noqa: F401
    import twinset.training  # noqa: F401

    torch.set_num_threads(1)


def child(folder: Path, kind: str, resume: bool, kill: Kill | None, line: Connection) -> None:  # noqa: FBT001
    """In a process of its own: train, and tell how it ended."""
    load()
    from twinset.errors import RequestError

    counts: dict[str, int] = {}
    if kill is not None and kill.operation == "saving":
        threading.Thread(target=_die_while_saving, args=(folder,), daemon=True).start()
    line.send("ready")
    began = time.perf_counter()
    try:
        training(folder, kind=kind, resume=resume, made_with=disk(kill, counts))
    except RequestError as error:
        line.send({"error": str(error)})
    else:
        line.send({"counts": counts, "seconds": time.perf_counter() - began})


def _die_while_saving(folder: Path) -> None:
    while not any(folder.glob(".model.*/config.json")):
        time.sleep(0.0002)
    die()


@dataclass(frozen=True, kw_only=True)
class Bench:
    """How processes are started, and where runs lie."""

    root: Path
    kind: str = "tiny"
    start: str = "spawn"

    def attempt(self, folder: Path, *, resume: bool, kill: Kill | None = None) -> dict[str, Any] | None:
        """One process; what it told at its end, or None where it was killed."""
        context = multiprocessing.get_context(self.start)
        here, there = context.Pipe()
        process = context.Process(target=child, args=(folder, self.kind, resume, kill, there))  # type: ignore[attr-defined]
        process.start()
        there.close()
        here.recv()
        if kill is not None and kill.operation == "moment":
            process.join(kill.delay)
            process.kill()
        process.join()
        try:
            return here.recv()
        except EOFError:  # it died without a word
            if process.exitcode != -signal.SIGKILL:
                raise SystemExit(f"{folder}: the run failed, exit code {process.exitcode}") from None
            return None

    def until_done(self, folder: Path, kills: list[Kill]) -> tuple[list[str], int]:
        """Start, kill, resume ... to the end: the kills that struck, and how many processes it took."""
        struck: list[str] = []
        resume, starts, waiting = False, 0, list(kills)
        while True:
            kill = waiting.pop(0) if waiting else None
            starts += 1
            told = self.attempt(folder, resume=resume, kill=kill)
            if told is None:
                struck.append(str(kill))
                resume = True
            elif NOTHING_YET in told.get("error", ""):
                resume = False  # killed before its first checkpoint: the message says to start anew
                waiting = [kill, *waiting] if kill is not None else waiting
            elif "error" in told and FINISHED not in told["error"]:
                raise SystemExit(f"{folder}: {told['error']}")
            else:
                return struck, starts


def outcome(folder: Path) -> dict[str, Any]:
    """All that must be the same, but for the journal's clock."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    journal = [{name: value for name, value in line.items() if name not in CLOCK} for line in lines]
    names = ("model/model.safetensors", "model/README.md", "scores.json")
    found: dict[str, Any] = {name: (folder / name).read_bytes() for name in names}
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    return {**found, "log.jsonl": journal, "files": files}


def plans(count: int, seed: int, counts: Mapping[str, int], seconds: float) -> list[list[Kill]]:
    """For every run its kills: the first half strike at random moments, the others in named places. Half
    of all runs are killed a second time, at a random moment after they were resumed."""
    draw = random.Random(seed)

    def moment() -> Kill:
        return Kill(operation="moment", delay=draw.uniform(0.0, 0.9) * seconds)

    firsts = [moment() for _ in range(count - count // 2)]
    for number in range(count // 2):
        place = PLACES[number % len(PLACES)]
        # The first removal takes the checkpoint: after it, the run counts as finished.
        most = 1 if place.operation in {"remove", "saving"} else counts[place.operation]
        firsts.append(replace(place, number=draw.randint(1, most)))
    return [[first, moment()] if draw.random() < 0.5 else [first] for first in firsts]


def compared(bench: Bench, kills: int, seed: int) -> dict[str, Any]:
    """The unbroken run, all the killed ones, and whether each ended the same."""
    whole = bench.root / "unbroken"
    told = bench.attempt(whole, resume=False)
    if told is None:
        raise SystemExit("the unbroken run was killed from outside")
    expected = outcome(whole)
    rows: list[dict[str, Any]] = []
    for number, plan in enumerate(plans(kills, seed, told["counts"], told["seconds"])):
        folder = bench.root / f"killed-{number}"
        struck, starts = bench.until_done(folder, plan)
        while not struck:  # on a machine with other work its speed changes: the moment came too late
            shutil.rmtree(folder)
            plan = [replace(kill, delay=kill.delay / 2) for kill in plan]  # noqa: PLW2901
            struck, starts = bench.until_done(folder, plan)
        found = outcome(folder)
        same = {name: found[name] == value for name, value in expected.items()}
        rows.append(
            {"planned": [asdict(kill) for kill in plan], "struck": struck, "starts": starts, "same": same}
        )
        mark = "same" if all(same.values()) else "DIFFERS: " + ", ".join(k for k, v in same.items() if not v)
        print(
            f"{number + 1:>3}  {starts} starts  {' + '.join(struck) or 'no kill struck':<44}  {mark}",
            flush=True,
        )
        shutil.rmtree(folder)
    return {
        "seed": seed,
        "encoder": bench.kind,
        "operations": told["counts"],
        "seconds_unbroken": round(told["seconds"], 2),
        "runs": rows,
        "killed": sum(bool(row["struck"]) for row in rows),
        "different": sum(not all(row["same"].values()) for row in rows),
    }


def main(arguments: list[str]) -> int:
    """The command line: exit code 1 if any run ended otherwise, or was never killed."""
    parser = record.parser(__doc__)
    parser.add_argument("--kills", type=int, default=20, help="how many runs are killed (20)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments and places (0)")
    parser.add_argument("--encoder", choices=("tiny", "mini"), default="tiny")
    parser.add_argument(
        "--start", choices=("spawn", "fork"), default="spawn", help="spawn: a new interpreter"
    )
    given = parser.parse_args(arguments)
    if given.start == "fork":
        load()
    with tempfile.TemporaryDirectory(prefix="resume-kills-") as root:
        bench = Bench(root=Path(root), kind=given.encoder, start=given.start)
        found = compared(bench, given.kills, given.seed)
    print(f"{found['killed']} of {given.kills} runs were killed, {found['different']} ended otherwise.")
    record.keep("resume_kills", found, given)
    return int(found["different"] > 0 or found["killed"] < given.kills)
