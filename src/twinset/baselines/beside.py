"""Was it worth it? An encoder's scores beside those of what it must beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twinset.data.texts import Texts
from twinset.evaluation import Encodes, Progress, Suite, SuiteScores, evaluate
from twinset.evaluation.correlations import DIGITS
from twinset.evaluation.embedding import distinct
from twinset.evaluation.table import AVERAGE, align, percent

_MEASURED = {
    "spearman": "Spearman of cosine similarity, all pairs of a task together,",
    "mixed": "each task's own metric",
}


@dataclass(frozen=True, kw_only=True)
class Beside:
    """The encoder's scores, and those of each baseline."""

    encoder: SuiteScores
    baselines: tuple[SuiteScores, ...]

    @property
    def best(self) -> SuiteScores:
        """The baseline with the highest headline; the first of equals."""
        return max(self.baselines, key=lambda scores: scores.headline)

    @property
    def gain(self) -> float:
        """The encoder's headline less that of the best baseline."""
        return self.encoder.headline - self.best.headline

    def table(self) -> str:
        """A row for each system, a column for each task: the tasks' headlines x 100."""
        several = len(self.encoder.tasks) > 1
        rows = [["system", *self.encoder.tasks, *([AVERAGE] if several else [])]]
        for scores in (*self.baselines, self.encoder):
            values = list(_by_task(scores).values()) + ([scores.headline] if several else [])
            rows.append([scores.encoder, *map(percent, values)])
        title = f"{self.encoder.suite}: {_MEASURED.get(self.encoder.metric, self.encoder.metric)} x 100"
        verdict = (
            f"{self.encoder.encoder} over the best of them, {self.best.encoder}: {100 * self.gain:+.2f} "
            "(one measurement; no interval)"
        )
        return "\n".join([title, *align(rows, left=1), verdict])

    def to_json(self) -> dict[str, object]:
        """Content for a JSON object: scores as the metrics have them, mostly from 0 to 1."""
        return {
            "suite": self.encoder.suite,
            "encoder": _row(self.encoder),
            "baselines": [_row(scores) for scores in self.baselines],
            "best": self.best.encoder,
            "gain": round(self.gain, DIGITS),
        }


def beside(
    encoder: Encodes, systems: Sequence[Encodes], suite: Suite, *, progress: Progress | None = None
) -> Beside:
    """Evaluate an encoder and everything that it must beat on the same suite."""
    return Beside(
        encoder=evaluate(encoder, suite, progress=progress),
        baselines=tuple(evaluate(system, suite) for system in systems),
    )


def texts_of(suite: Suite) -> Texts:
    """The distinct texts of a suite: what baselines that need texts are made for."""
    return distinct([column.texts for task in suite.tasks for column in task.columns])[0]


def _by_task(scores: SuiteScores) -> dict[str, float]:
    return {name: scores.task(name).value for name in scores.tasks}


def _row(scores: SuiteScores) -> dict[str, object]:
    tasks = {task: round(value, DIGITS) for task, value in _by_task(scores).items()}
    return {"name": scores.encoder, "tasks": tasks, "average": round(scores.headline, DIGITS)}
