from __future__ import annotations

import pytest
import torch

from twinset.encoder import precision
from twinset.encoder.precision import computing, resolve
from twinset.errors import RequestError

CPU = torch.device("cpu")


@pytest.mark.parametrize("asked", ["fp32", "bf16"])
def test_what_is_asked_for_is_taken(asked: precision.Precision) -> None:
    assert resolve(asked, CPU) == asked


@pytest.mark.parametrize(("has", "expected"), [(True, "bf16"), (False, "fp32")])
def test_auto_follows_the_processor(has: bool, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "_cpu_has_bf16", lambda: has)
    assert resolve("auto", CPU) == expected


def test_processor_without_avx512_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    assert resolve("auto", CPU) == "fp32"


def test_where_there_is_one_format_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "_cpu_has_bf16", lambda: True)
    assert [resolve(asked, CPU, ("fp32",)) for asked in ("auto", "fp32")] == ["fp32", "fp32"]
    with pytest.raises(RequestError, match="'bf16' cannot be had: this backend computes in fp32"):
        resolve("bf16", CPU, ("fp32",))


def test_unknown_precision_is_refused() -> None:
    with pytest.raises(RequestError, match="'fp8' is none of auto, fp32, bf16"):
        resolve("fp8", CPU)  # type: ignore[arg-type]


@pytest.mark.parametrize(("asked", "expected"), [("fp32", torch.float32), ("bf16", torch.bfloat16)])
def test_computing(asked: precision.Precision, expected: torch.dtype) -> None:
    ones = torch.ones(2, 2)
    with computing(resolve(asked, CPU), CPU):
        assert (ones @ ones).dtype == expected
