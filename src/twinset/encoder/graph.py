"""A transformer as a graph on disk, run in torch's place: looks in, hidden states out.

    graph = open_graph(folder, "onnx", config)
    (last,) = graph(look)

It reads `input_ids` and `attention_mask` (n, L) and gives `last_hidden_state` (n, L, d), and, where it was
written with them, `hidden_states.0`, the embedding layer's output, `hidden_states.1` and so on. Pooling and
all that follows stay torch's. A graph cannot be trained or changed; views cannot act on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import PretrainedConfig

from twinset.encoder.backends import FORMATS_OF, GRAPH_FILES, GraphBackend, Running, start
from twinset.encoder.precision import Format, resolve
from twinset.encoder.skeleton import skeleton_of
from twinset.errors import ModelError, RequestError, WorkError
from twinset.types import Look

LAST = "last_hidden_state"
_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_ACTS = ("order", "keep_tokens", "keep_features", "keep_elements", "add")
_OPEN_IN_TORCH = "open the model with backend='torch'"
_NO_MEMORY = ("bad_alloc", "allocate", "out of memory")


@final
class Graph(nn.Module):
    """Stands where a transformers model stands in a `Backbone`."""

    def __init__(self, file: Path, backend: GraphBackend, config: PretrainedConfig) -> None:
        super().__init__()
        self.file, self.config = file.absolute(), config
        self.backend: GraphBackend = backend
        self.formats: tuple[Format, ...] = FORMATS_OF[backend]
        self.skeleton = skeleton_of(config)
        # Nothing in it: it says where the weights are to those who ask that of a model's parameters.
        self.place = nn.Parameter(torch.empty(0), requires_grad=False)
        self._running: Running | None = None
        self._settings: tuple[Format, int] | None = None
        self.eval()
        _check(self._started(resolve("auto", torch.device("cpu"), self.formats)), self.file)

    def forward(self, look: Look, *, layers: tuple[int, ...] = (-1,)) -> tuple[Tensor, ...]:
        """States by layer, as `pooling.pool` reads them; layers not asked for are the last one's."""
        if any(getattr(look, act) is not None for act in _ACTS):
            raise RequestError(f"{self.file}: views cannot act on a graph; {_OPEN_IN_TORCH}")
        count = int(self.config.num_hidden_layers)
        names = {layer: name_of(layer, count) for layer in layers}
        running = self._started(self._format())
        missing = set(names.values()) - running.outputs
        if missing:
            raise RequestError(
                f"{self.file}: gives no {', '.join(sorted(missing))}, which this pooling reads; write the "
                f"graph from an encoder that pools so (with_pooling), or {_OPEN_IN_TORCH}"
            )
        found = self._run(running, look)
        states = [torch.from_numpy(found[LAST])] * (count + 1)
        for layer, name in names.items():
            states[layer] = torch.from_numpy(found[name])
        return tuple(states)

    def train(self, mode: bool = True) -> Self:  # noqa: FBT001, FBT002 - torch's signature
        if mode:
            raise RequestError(f"{self.file}: a graph cannot be trained; {_OPEN_IN_TORCH}")
        return super().train(mode)

    def _run(self, running: Running, look: Look) -> Mapping[str, NDArray[Any]]:
        ids = look.tokens.input_ids.numpy()
        feed = {"input_ids": ids, "attention_mask": look.tokens.mask.to(torch.int64).numpy()}
        if "token_type_ids" in running.inputs:
            feed["token_type_ids"] = np.zeros_like(ids)
        try:
            found = running(feed)
        except Exception as error:
            self._running = None
            told = str(error).strip()
            if any(word in told.lower() for word in _NO_MEMORY):
                raise MemoryError(told) from error  # whoever cuts batches knows what to do
            why = (told or type(error).__name__).splitlines()[0]
            raise WorkError(f"{self.file}: the graph failed: {why}") from error
        if found[LAST].shape[:2] != ids.shape:
            # OpenVINO does not tell when memory runs out: it gives what an earlier call gave.
            self._running = None
            raise MemoryError(f"{self.file}: numbers of {found[LAST].shape} for texts of {ids.shape}")
        return found

    def _format(self) -> Format:
        low = torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") == torch.bfloat16
        return "bf16" if low and "bf16" in self.formats else "fp32"

    def _started(self, precision: Format) -> Running:
        """The graph, ready for this format and torch's number of threads."""
        settings = (precision, torch.get_num_threads())
        if self._running is None or settings != self._settings:
            self._running = start(self.file, self.backend, precision=settings[0], threads=settings[1])
            self._settings = settings
        return self._running

    def _apply(self, fn: Any, recurse: bool = True) -> Self:  # noqa: ANN401, FBT001, FBT002 - torch's signature
        """Moving and casting: a graph stays as and where it is."""
        device = fn(self.place).device
        if device.type != "cpu":
            raise RequestError(
                f"{self.file}: a graph runs on the processor, not on {device}; {_OPEN_IN_TORCH}"
            )
        return self

    def __getstate__(self) -> dict[str, Any]:
        # Another process starts it anew, on its own number of threads.
        return {**self.__dict__, "_running": None, "_settings": None}


def open_graph(folder: Path, backend: GraphBackend, config: PretrainedConfig) -> Graph:
    """The graph in a model's folder."""
    file = folder / GRAPH_FILES[backend]
    if not file.is_file():
        how = f"twinset export MODEL --to {backend} -o FOLDER"
        raise ModelError(f"{folder}: has no {GRAPH_FILES[backend]}; this makes a folder that has: {how}")
    return Graph(file, backend, config)


def name_of(layer: int, count: int) -> str:
    """What a graph of so many layers calls this layer's states."""
    place = layer % (count + 1)
    return LAST if place == count else f"hidden_states.{place}"


def facts_of(model: nn.Module) -> dict[str, object]:
    """What a model or its graph is, for cards and reports."""
    if isinstance(model, Graph):
        kind, count = f"{model.skeleton.architecture} as a graph ({model.backend})", model.skeleton.parameters
    else:
        kind, count = type(model).__name__, sum(weight.numel() for weight in model.parameters())
    return {"architecture": kind, "parameters": f"{count:,}"}


def _check(running: Running, file: Path) -> None:
    odd = sorted(running.inputs - _KNOWN_INPUTS)
    if odd:
        raise ModelError(f"{file}: the graph wants {', '.join(odd)}, which twinset does not give")
    if LAST not in running.outputs:
        given = ", ".join(sorted(running.outputs)) or "nothing by name"
        raise ModelError(f"{file}: the graph gives {given}; {LAST} is needed")
