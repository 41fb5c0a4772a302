"""The encoder's layers compiled (torch.compile), for as long as a batch goes through them and no longer.

What is compiled is the `forward` of each layer of the model's stack, and not the model: the embedding layer,
where views act by hooks that come and go, stays as it is, and layers of one class share their code. Between
two batches the layers have their own `forward` again, so that encoding, copies, checkpoints and whatever
watches the run never meet a compiled model.

Shapes are dynamic: each chunk of texts has another size. That rules out CUDA graphs, which replay one size.
Random numbers are drawn as they are without a compiler, and in that order, since each dropout waits for what
the one before it gave: the same masks as without it, and the same in both passes of the cached step.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from types import MethodType
from typing import Any, final

import torch
from torch import Tensor, nn

from twinset.errors import RecipeError, WorkError

SETTINGS: Mapping[str, Any] = {"backend": "inductor", "dynamic": True, "options": {"fallback_random": True}}
_VARIANTS = 64
"""Of one layer's code: with or without gradient, mask, a single row ... Beyond its own limit of 8 torch would
go on uncompiled, and ELECTRA comes to 15."""


@final
class Compiled:
    """The layers of a model, and their code compiled, when it is first used, for each class of them."""

    def __init__(self, model: nn.Module, device: torch.device) -> None:
        self.layers = tuple(dict.fromkeys(_stacked(model)))
        if not self.layers:
            kind = type(model).__name__
            raise RecipeError(f"compile: {kind} has no stack of layers to compile; leave compile out")
        _check_compiler(device)
        kinds = dict.fromkeys(type(layer) for layer in self.layers)
        self._forwards = {kind: torch.compile(kind.forward, **SETTINGS) for kind in kinds}

    @contextmanager
    def acting(self) -> Generator[None]:
        """In here, the layers are the compiled ones."""
        import torch._dynamo

        for layer in self.layers:
            layer.forward = MethodType(self._forwards[type(layer)], layer)
        try:
            with torch._dynamo.config.patch(recompile_limit=_VARIANTS):  # noqa: SLF001 - has no public name
                yield
        except RuntimeError as error:
            if type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
                raise WorkError(
                    f"compile: this encoder's layers cannot be compiled: {_why(error)}. Leave compile out."
                ) from error
            raise
        finally:
            for layer in self.layers:
                del layer.forward


def _stacked(module: nn.Module) -> Iterator[nn.Module]:
    """The members of the outermost lists of modules."""
    for child in module.children():
        if isinstance(child, nn.ModuleList):
            yield from child
        else:
            yield from _stacked(child)


def _check_compiler(device: torch.device) -> None:
    """Compile and run next to nothing: what is missing for it is told before the run begins."""

    def twice(values: Tensor) -> Tensor:
        return values + values

    try:
        torch.compile(twice, **SETTINGS)(torch.ones(2, device=device))
    except Exception as error:
        raise RecipeError(
            f"compile: nothing can be compiled here: {_why(error)}. It takes a C++ compiler (g++ or "
            "clang, with Python's headers), on a GPU triton. Or leave compile out."
        ) from error


def _why(error: BaseException) -> str:
    """The head of torch's message: who failed, and with what."""
    paragraph = str(error).strip().partition("\n\n")[0]
    return " ".join(paragraph.split()) or type(error).__name__
