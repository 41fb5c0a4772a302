from __future__ import annotations

import pytest
import torch

from twinset.training import allocator
from twinset.training.allocator import keeping_memory


def faults() -> int:
    resource = pytest.importorskip("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def pages_of(rounds: int) -> int:
    before = faults()
    for _ in range(rounds):
        torch.empty(48 << 20, dtype=torch.uint8).fill_(1)  # glibc maps what is over 32 MiB
    return faults() - before


def test_memory_is_not_asked_for_again() -> None:
    if allocator._glibc() is None:
        pytest.skip("another allocator")
    pages_of(1)
    given_back = pages_of(20)
    with keeping_memory():
        pages_of(5)
        kept = pages_of(20)
    assert kept < given_back / 4
    assert pages_of(20) > 4 * max(1, kept)  # afterwards it is as it was


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator, "_glibc", lambda: None)
    with keeping_memory():
        assert int(torch.ones(3).sum()) == 3
