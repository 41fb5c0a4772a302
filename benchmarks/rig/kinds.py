"""What the time of a training step goes to, from a profile of the processor.

An operation's kind is decided by what it is and what it stands in: the operations around it, the scopes
that `scopes` puts around parts of ours, and, in the backward pass, what its forward operation stood in
(they share autograd's sequence number). Kinds are tried in the order of KINDS; the first that fits counts.
Times are the operations' own, without those inside them; a scope's own time is Python between operations.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from torch.autograd.profiler_util import FunctionEvent
from torch.profiler import record_function

STEP = "whole step"
KINDS: tuple[tuple[str, str], ...] = (
    ("optimizer", r"Optimizer\.|scope: clipping"),
    ("dropout", r"aten::dropout|scope: dropout|_Drop\b|_DropBackward|DropoutBackward"),
    ("batches and packing", r"scope: batch|^_Move|_MoveBackward"),
    ("attention", r"scaled_dot_product|scope: attention"),
    ("casts and copies", r"^aten::copy_ < aten::(_to_copy|clone)|^aten::_to_copy|^aten::to\b|ToCopyBackward"),
    ("matrix products", r"aten::linear|aten::matmul|Addmm|BmmBackward|MmBackward|^aten::(mm|addmm|bmm)\b"),
    ("layer norm", r"layer_norm|LayerNorm"),
    ("GELU", r"gelu|Gelu"),
    ("embedding", r"embedding|Embedding"),
    ("casts and copies", r"^aten::(copy_|clone|contiguous|cat|index_select|stack)\b"),
    ("Python between operations", rf"^{STEP}$"),
)
REST = "rest"

_SCOPED: tuple[tuple[str, str], ...] = (
    ("dropout", "twinset.encoder.cheap_dropout.drop"),
    ("dropout", "twinset.encoder.attention.drop"),
    ("batch", "twinset.training.learner.Learner.scene"),
    ("batch", "twinset.encoder.backbone.pack"),
    ("batch", "twinset.encoder.backbone.inputs_of"),
    ("batch", "twinset.encoder.packing.Packing.to"),
    ("batch", "twinset.encoder.packing.Packing.lay"),
    ("batch", "twinset.encoder.packing.Packing.back"),
    ("batch", "twinset.training.steps.chunks.stack"),
    ("batch", "twinset.training.steps.chunks.cut"),
    ("batch", "twinset.training.steps.chunks.take_rows"),
    ("clipping", "torch.nn.utils.clip_grad_norm_"),
)
"""Functions of ours that a profile does not name by itself."""


@contextmanager
def scopes() -> Generator[None]:
    """Inside, the profiler sees the parts of a step that are no operations of torch."""
    from transformers import AttentionInterface

    from twinset.encoder import attention

    with ExitStack() as patches:
        for kind, place in _SCOPED:
            module, _, name = place.rpartition(".")
            holder = _found(module)
            patches.enter_context(patch.object(holder, name, _scoped(kind, getattr(holder, name))))
        AttentionInterface.register(attention.NAME, _scoped("attention", attention.attend))
        patches.callback(AttentionInterface.register, attention.NAME, attention.attend)
        yield


def shares(events: Sequence[FunctionEvent]) -> dict[str, float]:
    """Each kind's share of all the time, largest first."""
    inside = [event for event in events if _chain(event)[-1] == STEP]
    forward = {event.sequence_nr: event for event in sorted(inside, key=_start) if _is_forward(event)}
    spent: Counter[str] = Counter()
    for event in inside:
        spent[kind_of(_standing(event, forward))] += event.self_cpu_time_total
    total = sum(spent.values())
    return {kind: round(time / total, 4) for kind, time in spent.most_common()}


def kind_of(names: Iterable[str]) -> str:
    """The kind of an operation that stands in these, itself first."""
    line = " < ".join(names)
    return next((kind for kind, pattern in KINDS if re.search(pattern, line)), REST)


def _standing(event: FunctionEvent, forward: dict[int, FunctionEvent]) -> list[str]:
    """Names around an operation; behind those of a backward one come its forward one's."""
    names = _chain(event)
    parent: Any = event
    while parent is not None and "evaluate_function" not in parent.name:
        parent = parent.cpu_parent
    made = None if parent is None else forward.get(parent.sequence_nr)
    return names if made is None else [*names, *_chain(made)]


def _chain(event: FunctionEvent) -> list[str]:
    names: list[str] = []
    parent: Any = event
    while parent is not None:
        names.append(parent.name)
        parent = parent.cpu_parent
    return names


def _is_forward(event: FunctionEvent) -> bool:
    return event.sequence_nr >= 0 and not any("Backward" in name for name in _chain(event))


def _start(event: FunctionEvent) -> float:
    return float(event.time_range.start)


def _found(place: str) -> Any:  # noqa: ANN401 - a module or a class
    import importlib

    try:
        return importlib.import_module(place)
    except ModuleNotFoundError:
        module, _, name = place.rpartition(".")
        return getattr(importlib.import_module(module), name)


def _scoped(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inside(*arguments: Any, **settings: Any) -> Any:  # noqa: ANN401 - whatever it takes and gives
        with record_function(f"scope: {kind}"):
            return function(*arguments, **settings)

    return inside
