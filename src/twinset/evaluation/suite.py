"""Tasks that are evaluated together."""

from __future__ import annotations

from dataclasses import dataclass

from twinset.errors import RequestError
from twinset.evaluation.task import Task


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Tasks of any kind that are evaluated together; no two have the same name."""

    name: str
    tasks: tuple[Task, ...]

    def __post_init__(self) -> None:
        names = [task.name for task in self.tasks]
        if not names:
            raise RequestError(f"suite {self.name}: it has no task")
        if len(set(names)) < len(names):
            raise RequestError(f"suite {self.name}: two tasks have the same name among {', '.join(names)}")
