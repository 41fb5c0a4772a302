from __future__ import annotations

import json
import subprocess
import sys

import pytest
import torch

from twinset.encoder import allocator
from twinset.encoder.allocator import keeping_memory

# In a process of its own: what a long-lived heap gives back depends on all that was ever put there.
SCRIPT = """
import json, resource, psutil, torch
from twinset.encoder.allocator import keeping_memory

def pages_of(rounds):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(rounds):
        torch.empty(48 << 20, dtype=torch.uint8).fill_(1)  # glibc maps what is over 32 MiB
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

resident = lambda: psutil.Process().memory_info().rss >> 20
pages_of(1)
before, held_before = pages_of(20), resident()
with keeping_memory():
    pages_of(5)
    inside, held_inside = pages_of(20), resident()
held_after = resident()
print(json.dumps({"before": before, "inside": inside,
    "held_inside": held_inside - held_before, "held_after": held_after - held_before}))
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, int]:
    """Pages asked of the system in twenty rounds, and MiB that are held more than at first."""
    pytest.importorskip("resource")
    if allocator._glibc() is None:
        pytest.skip("another allocator")
    told = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def test_memory_is_not_asked_for_again(pages: dict[str, int]) -> None:
    assert pages["inside"] < pages["before"] / 4


class Library:
    """Says what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def mallopt(self, _what: int, value: int) -> None:
        self.asked.append(f"set {value}")

    def malloc_trim(self, _left: int) -> None:
        self.asked.append("give back")


def test_memory_is_kept_until_the_last_one_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setattr(allocator, "_glibc", lambda: library)
    with keeping_memory():
        begun = len(library.asked)
        with keeping_memory():
            pass
        assert len(library.asked) == begun == 2
    assert library.asked[-1] == "give back"
    assert len(library.asked) == begun + 3


def test_afterwards_what_is_free_goes_back(pages: dict[str, int]) -> None:
    assert pages["held_inside"] > 40
    assert pages["held_after"] < 20


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator, "_glibc", lambda: None)
    with keeping_memory():
        assert int(torch.ones(3).sum()) == 3
