"""The joint everything hangs on: what a batch is, what an objective sees, what it returns.

    Batch --views--> Looks --encoder--> Embedded --objective--> Loss

`Batch` and `Look` are token ids and random draws already made; `Embedded` is vectors and facts about the
rows. An objective sees `Embedded` only: never a model, a tokenizer or a process group. A step
(`twinset.training.steps`) turns looks into vectors, calls the objective, and fills gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, cast, runtime_checkable

import torch
from torch import Tensor


def moved(value: Tensor, device: torch.device) -> Tensor:
    """The tensor on another device. To a GPU it goes by way of pinned memory: that copy is made while the
    program goes on, where one from ordinary memory waits for all the work given to the GPU before it."""
    if device.type != "cuda" or value.device.type != "cpu":
        return value.to(device)
    return value.contiguous().pin_memory().to(device, non_blocking=True)


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """Token ids of n texts, padded on the right. input_ids (n, L) int64; lengths (n,) counts real tokens.

    known: the lengths as they were before they were moved to a device that has to be waited for.
    """

    input_ids: Tensor
    lengths: Tensor
    known: Tensor | None = None

    @property
    def mask(self) -> Tensor:
        """(n, L) bool, true on real tokens."""
        positions = torch.arange(self.input_ids.shape[1], device=self.input_ids.device)
        return positions < self.lengths[:, None]

    def __len__(self) -> int:
        return self.input_ids.shape[0]

    @property
    def sizes(self) -> list[int]:
        """The lengths as numbers."""
        return cast("list[int]", (self.lengths if self.known is None else self.known).tolist())

    def to(self, device: torch.device) -> Tokens:
        known = self.lengths if self.known is None else self.known
        return Tokens(
            input_ids=moved(self.input_ids, device),
            lengths=moved(self.lengths, device),
            known=known if known.device.type == "cpu" else None,
        )


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Texts that meet: c columns (one for sentences, two for pairs, three for triples) of n rows.

    rows (n,): positions in the data. ids (c, n): equal numbers for equal texts, over all columns.
    labels (n,) and scores (n,) where the data has them.
    """

    columns: tuple[Tokens, ...]
    ids: Tensor
    rows: Tensor
    labels: Tensor | None = None
    scores: Tensor | None = None

    def __len__(self) -> int:
        return len(self.rows)


class Reference(StrEnum):
    """Where else the same views may be looked at: older weights, or another layer."""

    INITIAL = "initial"  # the encoder as it was before training
    LAGGED = "lagged"  # an older copy of the weights: some updates ago, or an average
    EMBEDDING_LAYER = "embedding_layer"  # the average over the embedding layer's output


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """Vectors of earlier batches, oldest last. They carry no gradient.

    vectors (m, d); log_weights (m,) are added to the logits of these candidates; ids (m,) as in `Batch`;
    ages (m,) counts batches since each was made (1 = the batch before).
    """

    vectors: Tensor
    log_weights: Tensor
    ids: Tensor
    ages: Tensor

    def __len__(self) -> int:
        return len(self.ages)


def _no_weights() -> Mapping[str, Tensor]:
    return {}


def _no_references() -> Mapping[Reference, Tensor]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """All an objective sees.

    views: v tensors (n, d), raw (not normalised), in the autograd graph. Row i of every view belongs
    together. ids (v, n): equal numbers for equal texts. labels, scores (n,): facts about the rows, absent
    where the data has none. earlier: the queue's vectors. weights: the objective's own parameters by name,
    as `Learned.initial_weights` made them. references[r] (v, v, n): cosine similarity of views a and b of
    row i under reference r, for the references the objective needs.
    """

    views: tuple[Tensor, ...]
    ids: Tensor
    labels: Tensor | None = None
    scores: Tensor | None = None
    earlier: Earlier | None = None
    weights: Mapping[str, Tensor] = field(default_factory=_no_weights)
    references: Mapping[Reference, Tensor] = field(default_factory=_no_references)

    def __len__(self) -> int:
        return self.views[0].shape[0]

    def detached(self) -> Embedded:
        """The same record with vectors that carry no gradient."""
        return replace(self, views=tuple(view.detach() for view in self.views))


@dataclass(frozen=True, kw_only=True)
class Loss:
    """A scalar to go down, and its named parts for the journal (detached scalars)."""

    value: Tensor
    parts: Mapping[str, Tensor]


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What an objective asks of the batch, checked before training starts.

    views: at least so many. most_views: what it has no use for (None: any number). earlier: it looks at the
    queue's vectors where there is a queue.
    """

    views: int = 2
    most_views: int | None = None
    labels: bool = False
    scores: bool = False
    references: frozenset[Reference] = frozenset()
    earlier: bool = False


@runtime_checkable
class Objective(Protocol):
    """What is better, said of vectors alone. Implementations are frozen dataclasses: settings, no state."""

    @property
    def needs(self) -> Needs: ...

    def __call__(self, batch: Embedded) -> Loss: ...


@runtime_checkable
class Learned(Objective, Protocol):
    """An objective with parameters of its own (a head, a temperature). The training state owns them."""

    @property
    def weights_learning_rate(self) -> float | None:
        """Their learning rate; None: the encoder's."""
        ...

    def initial_weights(self, dimension: int, generator: torch.Generator) -> Mapping[str, Tensor]: ...


@dataclass(frozen=True, kw_only=True)
class Look:
    """One look at n texts, all random draws already made: data only, so it can be cut into chunks and
    run a second time with the same result.

    What the encoder does with it, in this order: put the tokens in `order` (position p holds token
    order[i, p]; states are put back afterwards, so this equals permuted position ids); take the embedding
    layer's output; multiply by the keep masks (no rescaling); add `add`.
    """

    tokens: Tokens
    column: int = 0
    order: Tensor | None = None  # (n, L) int64, a permutation of each row's positions
    keep_tokens: Tensor | None = None  # (n, L) bool
    keep_features: Tensor | None = None  # (n, D) bool
    keep_elements: Tensor | None = None  # (n, L, D) bool
    add: Tensor | None = None  # (n, L, D)

    def __len__(self) -> int:
        return len(self.tokens)


@runtime_checkable
class View(Protocol):
    """One operator on a look. `width` is the size of the encoder's embedding layer."""

    def __call__(self, look: Look, *, width: int, generator: torch.Generator) -> Look: ...


@runtime_checkable
class Views(Protocol):
    """From a batch's columns to the looks that the encoder will take."""

    def count(self, columns: int) -> int:
        """How many looks it makes of a batch with so many columns."""
        ...

    def __call__(self, batch: Batch, *, width: int, generator: torch.Generator) -> tuple[Look, ...]: ...


Embedder = Callable[[Look], Tensor]
"""Looks to raw vectors (n, d): what a step knows of an encoder."""


ReferenceSource = Callable[[Sequence[Look], Batch], Tensor]
"""Looks and their batch to similarities (v, v, n), without gradient."""


@runtime_checkable
class Batching(Protocol):
    """Which texts meet, one epoch at a time.

    ids (c, n): equal numbers for equal texts. `vectors` embeds the first column with the present weights,
    (n, d), when it is called: an order by neighbours asks, a random one does not.
    """

    def batches(
        self, *, ids: Tensor, size: int, generator: torch.Generator, vectors: Callable[[], Tensor]
    ) -> list[Tensor]: ...
