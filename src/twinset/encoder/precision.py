"""In which number format the encoder computes. Weights stay in fp32."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal, cast

import torch

from twinset.errors import RequestError

Precision = Literal["auto", "fp32", "bf16"]
PRECISIONS: tuple[Precision, ...] = ("auto", "fp32", "bf16")

Format = Literal["fp32", "bf16"]
FORMATS: tuple[Format, ...] = ("fp32", "bf16")


def resolve(precision: Precision, device: torch.device, formats: tuple[Format, ...] = FORMATS) -> Format:
    """What `auto` means here: bf16 where the processor multiplies in it, fp32 elsewhere.

    formats: what there is to choose from.
    """
    if precision not in PRECISIONS:
        raise RequestError(f"precision: {precision!r} is none of {', '.join(PRECISIONS)}")
    if precision != "auto":
        if precision not in formats:
            there = " and ".join(formats)
            raise RequestError(f"precision: {precision!r} cannot be had: this backend computes in {there}")
        return precision
    if "bf16" not in formats:
        return "fp32"
    if device.type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"
    return "bf16" if device.type == "cpu" and _cpu_has_bf16() else "fp32"


def _cpu_has_bf16() -> bool:
    # Emulated bf16 is slower than fp32: only the instructions count (AVX-512 BF16, AMX).
    if not torch.backends.cpu.get_cpu_capability().startswith("AVX512"):
        return False
    # torch has no public name for the question.
    cpu = cast("Any", torch.cpu)
    return bool(cpu._is_avx512_bf16_supported() or cpu._is_amx_tile_supported())  # noqa: SLF001


@contextmanager
def computing(precision: Literal["fp32", "bf16"], device: torch.device) -> Generator[None]:
    """Autocast where it is asked for."""
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == "bf16"):
        yield
