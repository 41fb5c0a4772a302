"""What a name or a path stands for, as one side of a comparison.

mini, a hub name, a model's folder      an encoder: fixed
a run's folder                          its encoder: one seed of a recipe
a folder with runs in it                all of them: a recipe with so many seeds
scores.json                             scores with their items, as `twinset evaluate --out` writes them
a,b,c or runs/a-*                       several of these: a recipe with so many seeds
"""

from __future__ import annotations

import glob
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from twinset.errors import DataError, RequestError
from twinset.evaluation import Encodes, SuiteScores, read_scores
from twinset.evaluation.scores_file import suite_scores
from twinset.evidence.scored import Scored

Judge = Callable[[Encodes], SuiteScores]

RUN_FILE, MODEL, SCORES, TEST = "run.toml", "model", "scores.json", "test.json"


def find(name: str | Path, judge: Judge | None) -> Scored:
    """Score what is there, or read its scores. judge: None where only scores will do."""
    places = _places(str(name))
    found = [_one(place, judge) for place in places]
    if len(found) == 1:
        return found[0]
    return Scored(
        name=_common(places),
        runs=tuple(run for one in found for run in one.runs),
        seeded=True,
        chosen_on=frozenset[str]().union(*(one.chosen_on for one in found)),
    )


def _places(name: str) -> list[str]:
    """A list, a pattern or a folder of runs, taken apart."""
    if Path(name).expanduser().exists():
        return [str(run) for run in runs_in(Path(name).expanduser())] or [name]
    parts = [part.strip() for part in name.split(",")]
    places: list[str] = []
    for part in parts:
        pattern = str(Path(part).expanduser())
        # Path.glob takes no absolute pattern.
        matching = sorted(glob.glob(pattern)) if glob.has_magic(part) else [part]  # noqa: PTH207
        if not matching:
            raise RequestError(f"{part}: nothing matches this pattern")
        places += matching
    if not all(places):
        raise RequestError(f"{name!r}: one of the names is empty")
    return places


def runs_in(folder: Path) -> list[Path]:
    """The finished runs that lie in a folder, where it is not a run itself."""
    if not folder.is_dir() or (folder / RUN_FILE).is_file():
        return []
    return sorted(child for child in folder.iterdir() if (child / RUN_FILE).is_file())


def _one(place: str, judge: Judge | None) -> Scored:
    path = Path(place).expanduser()
    if path.suffix == ".json" and path.is_file():
        scores = read_scores(path)
        return Scored(
            name=path.stem if path.stem != "scores" else path.parent.name or path.stem, runs=(scores,)
        )
    if (path / RUN_FILE).is_file():
        return _run(path, judge)
    return _encoder(place, judge)


def _run(folder: Path, judge: Judge | None) -> Scored:
    """A run: scored anew, or by the test scores that lie in its folder, or by its dev scores."""
    dev = _dev(folder)
    chosen = frozenset[str]() if dev is None else frozenset(dev.task(task).fingerprint for task in dev.tasks)
    if judge is not None:
        if not (folder / MODEL).is_dir():
            raise RequestError(
                f"{folder}: this run has no model yet; go on with it: twinset train {folder} --resume"
            )
        scores = judge(_loaded(str(folder / MODEL)))
    elif (folder / TEST).is_file():
        scores = read_scores(folder / TEST)
    elif dev is not None:
        scores = dev
    else:
        raise RequestError(
            f"{folder}: this run has no scores of its own; say what to compare on: --suite or --file"
        )
    return Scored(
        name=folder.name, runs=(replace(scores, encoder=folder.name),), seeded=True, chosen_on=chosen
    )


def _dev(folder: Path) -> SuiteScores | None:
    """The scores on the dev data that a run was watched on."""
    path = folder / SCORES
    if not path.is_file():
        return None
    try:
        record: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
    dev = cast("dict[str, Any]", record).get("dev") if isinstance(record, dict) else None
    return None if dev is None else suite_scores(dev, source=str(path))


def _encoder(place: str, judge: Judge | None) -> Scored:
    if judge is None:
        raise RequestError(
            f"{place}: an encoder has to be scored first; say what to compare on: --suite or --file"
        )
    return Scored(name=Path(place).name or place, runs=(judge(_loaded(place)),))


def _loaded(place: str) -> Encodes:
    from twinset.encoder import Encoder

    return Encoder.from_pretrained(place)


def _common(places: list[str]) -> str:
    """What several runs are called together: their folder, or what their names begin with."""
    parents = {str(Path(place).parent) for place in places}
    names = [Path(place).stem for place in places]
    start = names[0]
    while not all(name.startswith(start) for name in names):
        start = start[:-1]
    start = start.rstrip("-_. 0123456789")
    for generic in ("seed", "run", "scores"):
        start = start if start != generic else ""
    return start or (Path(parents.pop()).name if len(parents) == 1 else "") or names[0]
