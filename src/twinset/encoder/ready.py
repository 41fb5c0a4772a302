"""An encoder made ready for many texts: a copy whose dense layers are laid out as the processor reads them.

    y = x W^T + b

oneDNN, which multiplies on a processor, reads a weight fastest in blocks of its own; torch lays them out
anew at every call. Here it is done once. For bf16 the copy's weights are bf16, too: autocast would cast them
and every layer's input again and again. A GELU right after a dense layer is worked out with its product, and
attention in bf16 is ours. The encoder itself is left alone; what is not dense is shared.
"""

from __future__ import annotations

import copy
from typing import Any, Literal, cast, final

import torch
from torch import Tensor, nn

from twinset.encoder import attention
from twinset.encoder.backbone import Backbone
from twinset.encoder.graph import Graph

WORTH_IT = 2_048
"""Tokens from which making ready costs less than it saves."""

_BLOCKED = 1_024  # rows of x that the blocks are made for; other numbers are served, too

_THEN = (("dense", "intermediate_act_fn"), ("lin1", "activation"))
"""What transformers calls a dense layer and the activation that its module's forward takes it through."""


@final
class ReadyLinear(nn.Module):
    """`nn.Linear` for inference, its weight in blocks; then: "none", or "gelu" of the result."""

    def __init__(self, linear: nn.Linear, then: Literal["none", "gelu"] = "none") -> None:
        super().__init__()
        self._then = then
        self.out_features = linear.out_features
        self._weight = _operations()._reorder_linear_weight(linear.weight.detach(), _BLOCKED)  # noqa: SLF001
        self._bias = None if linear.bias is None else linear.bias.detach()  # pyright: ignore[reportUnnecessaryComparison]

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        exact = "none"  # not by its approximation
        then = (self._then, [], exact if self._then == "gelu" else "")
        found = _operations()._linear_pointwise(input, self._weight, self._bias, *then)  # noqa: SLF001
        return cast("Tensor", found)


def made_ready(backbone: Backbone, precision: Literal["fp32", "bf16"]) -> Backbone | None:
    """A copy for inference in this format; None where nothing is gained by one."""
    weight = next(backbone.parameters(), None)
    if weight is None or weight.device.type != "cpu" or isinstance(backbone.model, Graph) or not _can_block():
        return None
    shared = {id(tensor): tensor for tensor in (*backbone.parameters(), *backbone.buffers())}
    ready = copy.deepcopy(backbone, memo=cast("dict[int, Any]", shared))
    model = ready.model
    if precision == "bf16":
        for module in model.modules():
            _in_bf16(module)
        _attend_ourselves(model)
    for parent in list(model.modules()):
        _join_gelu(parent)
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear:
                setattr(parent, name, ReadyLinear(child))
    return ready.eval()


def _join_gelu(module: nn.Module) -> None:
    for dense, activation in _THEN:
        linear, act = getattr(module, dense, None), getattr(module, activation, None)
        if type(linear) is nn.Linear and _is_gelu(act):
            setattr(module, dense, ReadyLinear(linear, "gelu"))
            setattr(module, activation, nn.Identity())


def _is_gelu(act: object) -> bool:
    """Whether it is the exact one, by the error function."""
    if isinstance(act, nn.GELU):
        return act.approximate == "none"
    return type(act).__name__ == "GELUActivation" and getattr(act, "act", None) is nn.functional.gelu


def _attend_ourselves(model: Any) -> None:  # noqa: ANN401
    config = model.config
    if config._attn_implementation == "sdpa":  # noqa: SLF001 - transformers has no public name for it
        config._attn_implementation = attention.NAME  # noqa: SLF001


def _in_bf16(module: nn.Module) -> None:
    """Weights of its own: `module.to` would change those that are shared."""
    for name, value in module.named_parameters(recurse=False):
        low = value.detach().to(torch.bfloat16)
        module.register_parameter(name, nn.Parameter(low, requires_grad=False))


def _can_block() -> bool:
    return torch.backends.mkldnn.is_available() and hasattr(_operations(), "_reorder_linear_weight")


def _operations() -> Any:  # noqa: ANN401 - what torch compiles its own graphs to; it has no public name
    return torch.ops.mkldnn
