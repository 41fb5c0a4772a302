"""What one cell's process is told to do, and what it leaves in the cell's folder when it has done it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

from twinset.errors import RecipeError, WorkError
from twinset.recipes import RunFile, parse_run_file, to_toml
from twinset.recipes.perform import RUN_FILE
from twinset.studies.digests import Digests, differ
from twinset.studies.settings import ScoredOn
from twinset.training import Recording

CELL = "cell.json"
TEST = "test.json"
WORDS = "cell.log"


@dataclass(frozen=True, kw_only=True)
class Order:
    """run: the text of a run file. test: what the finished encoder is scored on; None while screening.
    learned, judged: digests of the files that are learned from, and scored on. redo: a cell of other settings
    is thrown away. probe: only so many updates, and what they took."""

    folder: str
    run: str
    test: ScoredOn | None
    learned: Digests = field(default_factory=dict[str, "str | None"])
    judged: Digests = field(default_factory=dict[str, "str | None"])
    models: str = "keep"
    redo: bool = False
    probe: int | None = None

    def to_line(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Order:
        fields = cast("dict[str, Any]", json.loads(line))
        test = cast("dict[str, Any] | None", fields.pop("test"))
        return cls(test=None if test is None else TypeAdapter(ScoredOn).validate_python(test), **fields)

    @property
    def wanted(self) -> RunFile:
        return parse_run_file(self.run, source=f"{self.folder}: its run file")

    @property
    def scored_on(self) -> dict[str, Any] | None:
        """The test as cell.json holds it."""
        return (
            None if self.test is None else cast("dict[str, Any]", json.loads(json.dumps(asdict(self.test))))
        )


def finished(folder: Path) -> Mapping[str, Any] | None:
    """What a finished cell left: it is the last thing written. None: it is not finished."""
    try:
        return cast("Mapping[str, Any]", json.loads((folder / CELL).read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise WorkError(f"{folder / CELL}: cannot be read: {error}; remove the cell's folder") from error


def changed(folder: Path, order: Order) -> str | None:
    """What of a begun or finished cell is not as ordered: "run", "data", "test" or nothing."""
    file = folder / RUN_FILE
    if not file.is_file():
        return None
    if _learned(file.read_text(encoding="utf-8")) != _learned(order.run):
        return "run"
    left = finished(folder)
    if left is None:
        return None
    if differ(left.get("learned", {}), order.learned):
        return "data"
    # A screened cell has no test, and none is missing: it is never a counted one.
    same = left.get("test") == order.scored_on and not differ(left.get("judged", {}), order.judged)
    return None if same else "test"


def _learned(text: str) -> str | None:
    """A run file without what changes no byte of the encoder: how it is recorded."""
    try:
        run = parse_run_file(text)
    except RecipeError:
        return None  # of another version, perhaps: nobody knows what was learned
    return to_toml(replace(run, recording=Recording()))
