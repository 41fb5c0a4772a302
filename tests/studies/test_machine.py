from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.studies.tiny_study import study_text
from twinset.studies import machine, parse_study
from twinset.studies.machine import Share, share, weights_gib


def _study(data: Path, processes: str, threads: str, seeds: int = 4) -> Share:
    text = study_text(data, head=f"seeds = {seeds}\n")
    text = text.replace("processes = 1", f"processes = {processes}").replace(
        "threads = 1", f"threads = {threads}"
    )
    return share(parse_study(text))


@pytest.mark.parametrize(
    ("cores", "gib", "processes", "threads", "seeds", "expected"),
    [
        (4, 100, '"auto"', '"auto"', 4, (4, 1)),
        (16, 100, '"auto"', '"auto"', 4, (8, 2)),
        (4, 2, '"auto"', '"auto"', 4, (1, 4)),
        (4, 100, '"auto"', "2", 4, (2, 2)),
        (4, 100, "2", '"auto"', 4, (2, 2)),
        (4, 100, "3", "5", 4, (3, 5)),
        (1, 0.1, '"auto"', '"auto"', 1, (1, 1)),
    ],
)
def test_small_cells_side_by_side(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    cores: int,
    gib: float,
    processes: str,
    threads: str,
    seeds: int,
    expected: tuple[int, int],
) -> None:
    monkeypatch.setattr(machine, "physical_cores", lambda: cores)
    monkeypatch.setattr(machine, "_has_accelerator", lambda: False)
    memory = SimpleNamespace(available=gib * 2**30)
    monkeypatch.setattr(machine.psutil, "virtual_memory", lambda: memory)
    found = _study(data, processes, threads, seeds)
    assert (found.processes, found.threads) == expected


def test_an_accelerator_has_one_cell_at_a_time(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_has_accelerator", lambda: True)
    assert _study(data, '"auto"', '"auto"').processes == 1


def test_weights_of_an_encoder(tiny_folder: Path) -> None:
    assert 0.03 < weights_gib("mini") < 0.06
    assert 0 < weights_gib(str(tiny_folder)) < 0.01
    assert weights_gib("some/hub-name") == machine._UNKNOWN
