"""A recipe: everything that decides how an encoder is trained, but for the text and the seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from twinset.batching import AnyBatching, Random
from twinset.encoder.pooling import Pooling
from twinset.encoder.precision import Precision
from twinset.errors import RecipeError
from twinset.negatives import Queue
from twinset.objectives import AnyObjective, InfoNCE
from twinset.settings import check_settings
from twinset.training.lagged import Lagged
from twinset.training.optimizer import AdamW
from twinset.training.schedule import Schedule
from twinset.training.select import Select
from twinset.training.steps import Adversarial, AnyStep, Plain
from twinset.types import Objective, Reference
from twinset.views import AnyViews, DropoutTwice


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Frozen settings; what changes while training lives in `TrainState`.

    epochs, or steps where given. max_length: tokens a text is cut to while training (None: the encoder's).
    dropout: the encoder's own dropout rate (None: as its config says; 0: off). clip: largest gradient norm
    (None: not clipped). training_pooling, evaluation_pooling: None is the encoder's own. chunk_tokens: at
    most so many tokens, padding included, go through the encoder at once. compile: the encoder's layers are
    compiled while they learn (torch.compile), which takes a minute at first and pays in long runs at most.
    """

    views: AnyViews = field(default_factory=DropoutTwice)
    objective: AnyObjective = field(default_factory=InfoNCE)
    batching: AnyBatching = field(default_factory=Random)
    memory: Queue | None = None
    step: AnyStep = field(default_factory=Plain)
    optimizer: AdamW = field(default_factory=AdamW)
    schedule: Schedule = field(default_factory=Schedule)
    select: Select = field(default_factory=Select)
    lagged: Lagged = field(default_factory=Lagged)
    batch_size: int = 64
    learning_rate: float = 5e-5
    epochs: float = 1.0
    steps: int | None = None
    max_length: int | None = None
    training_pooling: Pooling | None = None
    evaluation_pooling: Pooling | None = None
    dropout: float | None = None
    clip: float | None = 1.0
    chunk_tokens: int | None = 1024
    precision: Precision = "auto"
    compile: bool = False

    def __post_init__(self) -> None:
        check_settings(self)
        if self.batch_size < 2:
            raise RecipeError(f"batch_size: {self.batch_size}; contrast needs at least 2 texts that meet")
        if not self.learning_rate > 0:
            raise RecipeError(f"learning_rate: {self.learning_rate} is not above 0")
        if not self.epochs > 0:
            raise RecipeError(f"epochs: {self.epochs} is not above 0")
        if self.dropout is not None and not 0 <= self.dropout < 1:
            raise RecipeError(f"dropout: {self.dropout} is not in [0, 1)")
        if self.clip is not None and not self.clip > 0:
            raise RecipeError(f"clip: {self.clip} is not above 0 (leave it out for no clipping)")
        for name in ("steps", "max_length", "chunk_tokens"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise RecipeError(f"{name}: {value} is below 1")

    def updates(self, batches_per_epoch: int) -> int:
        """How many updates the run makes."""
        return self.steps or max(1, round(self.epochs * batches_per_epoch))

    @property
    def references(self) -> frozenset[Reference]:
        """Where else the views are looked at, for the objective or for the step's attack."""
        return frozenset().union(*(objective.needs.references for _, objective in self.asking()))

    def check(self, *, columns: int, labels: bool, scores: bool) -> None:
        """That data with so many columns, with or without labels and scores, can serve this recipe."""
        made = self.views.count(columns)
        views = made + isinstance(self.step, Adversarial)
        for field_name, objective in self.asking():
            here = views if field_name == "objective" else made
            needs, who = objective.needs, f"{field_name}: {type(objective).__name__}"
            if here < needs.views:
                raise RecipeError(
                    f"{who} needs {needs.views} views, but {type(self.views).__name__} makes {here} of data "
                    f"with {columns} column(s). "
                    "Unlabelled sentences want views.kind = 'dropout_twice' or 'pair'."
                )
            if needs.most_views is not None and here > needs.most_views:
                raise RecipeError(
                    f"{who} looks at {needs.most_views} views, but {type(self.views).__name__} makes {here} "
                    f"of data with {columns} column(s). Say which in a weighted sum: parts.views = [0, 1]."
                )
            for name, needed, there in (("labels", needs.labels, labels), ("scores", needs.scores, scores)):
                if needed and not there:
                    raise RecipeError(f"{who} needs {name}; the data has none")
        if isinstance(self.step, Adversarial) and self.step.of >= made:
            raise RecipeError(f"step.of: {self.step.of}, but there are {made} views, counted from 0")
        if self.dropout is not None:
            self.check_dropout(())
        self._check_step()
        self._check_memory(views)

    def check_dropout(self, own: Iterable[float]) -> None:
        """That dropout tells two looks apart where it alone does. own: the encoder's rates."""
        rates = own if self.dropout is None else (self.dropout,)
        if isinstance(self.views, DropoutTwice) and not any(rates):
            raise RecipeError(
                "views: both looks at a text would be the same, since nothing but dropout tells them apart "
                "and it is off. Set dropout above 0 (0.1 is usual), or take views that change something. "
                "(Where two equal looks are meant, a pair of unchanged says so.)"
            )

    def _check_step(self) -> None:
        if isinstance(self.step, Adversarial) and isinstance(self.objective, InfoNCE):
            raise RecipeError(
                "objective: InfoNCE takes every view after the second for a negative, the perturbed one too. "
                "Say which views meet in a weighted sum: parts.views = [0, 1], and [0, 2] for the perturbed."
            )
        if self.lagged != Lagged() and Reference.LAGGED not in self.references:
            raise RecipeError("lagged: nothing in this recipe looks at older weights; leave it out")

    def _check_memory(self, views: int) -> None:
        if self.memory is None:
            return
        if not 0 <= self.memory.view < views:
            raise RecipeError(f"memory.view: {self.memory.view}, but there are {views} views, counted from 0")
        if not self.objective.needs.earlier:
            kind = type(self.objective).__name__
            raise RecipeError(f"memory: {kind} does not look at earlier batches; leave memory out")

    def asking(self) -> list[tuple[str, Objective]]:
        """Every objective by the field it stands in."""
        asking: list[tuple[str, Objective]] = [("objective", self.objective)]
        if isinstance(self.step, Adversarial):
            asking.append((self.step.field, self.step.attacked(self.objective)))
        return asking


def described(part: object) -> Any:  # noqa: ANN401 - plain values of any kind
    """Settings as plain values, each part with its kind: what model cards and run folders show."""
    if is_dataclass(part) and not isinstance(part, type):
        own = {setting.name: described(getattr(part, setting.name)) for setting in fields(part)}
        return {"kind": kind_of(type(part)), **own}
    if isinstance(part, tuple):
        return [described(item) for item in part]
    return part


def kind_of(part: type) -> str:
    """The word for a part in a run file: the name of the file it is written in."""
    return part.__module__.rsplit(".", 1)[-1]
