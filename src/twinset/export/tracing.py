"""What a graph is made of: the transformer as a function of ids and mask. A new graph is tried out first."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, final

import torch
from torch import Tensor, nn

from twinset.encoder.backbone import Backbone
from twinset.encoder.backends import GraphBackend
from twinset.encoder.graph import LAST, Graph, name_of
from twinset.encoder.load import quiet
from twinset.encoder.pooling import layers_needed
from twinset.errors import WorkError
from twinset.export.masks import masks_of
from twinset.types import Look

if TYPE_CHECKING:
    from twinset.encoder import Encoder

INPUTS = ("input_ids", "attention_mask")
AXES = {0: "batch", 1: "length"}
"""Of inputs and outputs; both may be of any size."""

_EXAMPLE = ("a text", "and another text, which is longer than the first one is")
_TRIALS = (("one",), ("two", "texts of their own lengths"), ("three", "a long text " * 60, "and two others"))
_NEAR = 1e-4
"""How far a graph's numbers may be from torch's, as a share of the largest: a few roundings, nothing more."""


@final
class States(nn.Module):
    """(ids, mask), both (n, L), to states (n, L, d) of the layers that a pooling reads: the last first."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        # A copy: exporters patch what they trace, and mode, format and device are the encoder's own affair.
        self.model = copy.deepcopy(encoder.backbone.model).to("cpu", torch.float32)
        self.layers = layers_needed(encoder.pooling)
        count = int(cast("Any", self.model.config).num_hidden_layers)
        inner = {name_of(layer, count): layer for layer in self.layers}
        inner.pop(LAST)
        self._inner = inner
        self.eval()

    @property
    def names(self) -> tuple[str, ...]:
        """What the outputs are called."""
        return (LAST, *self._inner)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        masks = masks_of(self.model, attention_mask)
        inner = bool(self._inner)
        found = self.model(input_ids=input_ids, attention_mask=masks, output_hidden_states=inner)
        return (found.last_hidden_state, *(found.hidden_states[layer] for layer in self._inner.values()))


def example(encoder: Encoder) -> tuple[Tensor, Tensor]:
    """Ids and mask to make a graph from: two texts, one of them padded."""
    return _inputs(_look(encoder, _EXAMPLE))


@contextmanager
def exporting(encoder: Encoder, what: str) -> Generator[None]:
    """Without gradient and the exporters' remarks; their failures, of whatever kind, are told as one."""
    try:
        with torch.no_grad(), quiet(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the tracer's doubts: `try_out` settles them
            yield
    except OSError:
        raise
    except Exception as error:
        kind = type(encoder.backbone.model).__name__
        cause: BaseException = error
        while (deeper := cause.__cause__ or cause.__context__) is not None:
            cause = deeper  # exporters wrap what went wrong in advice
        why = (str(cause).strip() or type(cause).__name__).splitlines()[0]
        raise WorkError(f"{kind} could not be written as {what}: {why}") from error


def try_out(file: Path, backend: GraphBackend, states: States, encoder: Encoder) -> None:
    """See that the graph gives what torch gives, on texts of other numbers and lengths than the example's."""
    graph = Graph(file, backend, cast("Any", states.model.config))
    torch_states = Backbone(states.model, pooling=encoder.pooling).hidden_states
    for texts in _TRIALS:
        look = _look(encoder, texts)
        with torch.no_grad():
            given, expected = (run(look, layers=states.layers) for run in (graph, torch_states))
        for layer in states.layers:
            right = expected[layer][look.tokens.mask]
            far = float((given[layer][look.tokens.mask] - right).abs().max() / right.abs().max())
            if not far <= _NEAR:  # nor is what is not a number
                kind = type(states.model).__name__
                raise WorkError(f"{kind} cannot be written for {backend}: the graph is off by {far:.1%}")


def _look(encoder: Encoder, texts: tuple[str, ...]) -> Look:
    return Look(tokens=encoder.tokenize(texts).take(torch.arange(len(texts))))


def _inputs(look: Look) -> tuple[Tensor, Tensor]:
    return look.tokens.input_ids, look.tokens.mask.to(torch.int64)
