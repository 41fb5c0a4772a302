from __future__ import annotations

import logging
import subprocess
import sys

import pytest
import torch
from torch import Tensor

from twinset.encoder.budget import Budget
from twinset.errors import RequestError, WorkError

LENGTHS = torch.tensor([5, 3, 9, 4, 8, 2, 7, 6])


class Memory:
    """Embeds as long as rows x longest fit."""

    def __init__(self, places: int, error: Exception | None = None) -> None:
        self.places, self.tried = places, []
        self.error = error or RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: ...")

    def __call__(self, rows: Tensor) -> Tensor:
        size = len(rows) * int(LENGTHS[rows].max())
        self.tried.append(size)
        assert len(self.tried) < 100, "for ever"
        if size > self.places:
            raise self.error
        return LENGTHS[rows][:, None].float()


def spent(budget: Budget, memory: Memory) -> list[float]:
    parts, rows = budget.spend(LENGTHS, memory)
    whole = torch.empty(len(LENGTHS))
    whole[torch.cat(rows)] = torch.cat(parts)[:, 0]
    return whole.tolist()


def test_with_memory_enough_nothing_shrinks() -> None:
    budget, memory = Budget(1000), Memory(1000)
    assert spent(budget, memory) == LENGTHS.tolist()
    assert (budget.tokens, memory.tried) == (1000, [72])


@pytest.mark.parametrize(
    "error",
    [None, MemoryError(), torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")],
    ids=["processor", "python", "accelerator"],
)
def test_it_halves_until_what_is_left_fits(error: Exception | None, caplog: pytest.LogCaptureFixture) -> None:
    budget, memory = Budget(1000), Memory(20, error)
    with caplog.at_level(logging.WARNING):
        assert spent(budget, memory) == LENGTHS.tolist()
    assert budget.tokens <= 20
    assert "memory ran out; from now on at most 36 tokens" in caplog.text
    memory.tried.clear()
    spent(budget, memory)
    assert max(memory.tried) <= 20, "it is remembered"


def test_one_text_too_long_is_told() -> None:
    with pytest.raises(WorkError, match="not enough memory for one text of 9 tokens"):
        spent(Budget(1000), Memory(8))


def test_other_errors_are_not_taken_for_it() -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        spent(Budget(1000), Memory(20, RuntimeError("shapes do not fit")))


def test_no_tokens_at_all() -> None:
    with pytest.raises(RequestError, match="batch_tokens: 0"):
        Budget(0)


# Real memory, really too little of it: a process that may not have more.
_PROGRAM = """
import resource
import torch
from tests.encoder.tiny import tiny_encoder
encoder = tiny_encoder("bert")
texts = ["a cat sat on the mat " * 20] * 3_000
expected = encoder.encode(texts[:50])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (250 << 20),) * 2)
import twinset as ts
found = encoder.encode(texts, engine=ts.Engine(batch_tokens=400_000))
print(abs(found[:50] - expected).max() < 1e-5, len(found))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits a process as Linux does")
def test_a_process_with_little_memory_encodes_all_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "3000"], done.stderr
    assert "memory ran out; from now on at most" in done.stderr
