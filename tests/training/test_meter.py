from __future__ import annotations

import pytest
import torch

from twinset.training import meter as module
from twinset.training.meter import Meter


def test_speed_is_sentences_over_seconds_since_the_last_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 2.0, 6.0])
    monkeypatch.setattr(module.time, "perf_counter", lambda: next(clock))
    meter = Meter(torch.device("cpu"))
    meter.learned(30)
    meter.learned(10)
    assert meter.read()["sentences_per_second"] == 20.0
    meter.learned(10)
    assert meter.read()["sentences_per_second"] == 2.5


def test_time_spent_watching_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 101.0, 102.0])
    monkeypatch.setattr(module.time, "perf_counter", lambda: next(clock))
    meter = Meter(torch.device("cpu"))
    with meter.paused():
        pass
    meter.learned(40)
    assert meter.read()["sentences_per_second"] == 20.0


def test_memory_is_the_process_s_peak() -> None:
    meter = Meter(torch.device("cpu"))
    before = meter.read()["memory_mib"]
    assert 20 < before < 100_000
    block = torch.ones(2**24)  # 64 MiB
    assert meter.read()["memory_mib"] >= before
    assert block.numel() == 2**24
