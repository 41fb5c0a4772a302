from __future__ import annotations

import logging
import subprocess
import sys
from typing import TYPE_CHECKING, Self

import numpy as np
import pytest
import torch

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import Engine, processes
from twinset.encoder.encode import Pass, Truncated
from twinset.encoder.processes import Worker, blocks_of
from twinset.errors import RequestError, WorkError

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [f"{text} {number}" for number in range(7) for text in SENTENCES]


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "SHARE", 9)


def a_pass() -> Pass:
    encoder = tiny_encoder("bert")
    return Pass(backbone=encoder.backbone, tokenizer=encoder.tokenizer, max_length=8)


def test_two_processes_give_what_one_gives_in_order(caplog: pytest.LogCaptureFixture) -> None:
    run = a_pass()
    with caplog.at_level(logging.WARNING):
        expected = np.concatenate(list(run.blocks(TEXTS)))
        blocks = list(blocks_of(run, iter(TEXTS), 2))
    assert [len(block) for block in blocks] == [9] * 7 + [7]
    np.testing.assert_allclose(np.concatenate(blocks), expected, atol=2e-6)
    one, two = (record.getMessage() for record in caplog.records)
    assert one == two
    assert "of 70 texts are longer than 8 tokens" in one


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script, target = tmp_path / "script.py", str(tmp_path / "out.npy")
    script.write_text(
        "import numpy as np\n"
        "import twinset as ts\n"
        "texts = [f'number {number}' for number in range(50)]\n"
        "encoder, engine = ts.Encoder.mini(), ts.Engine(processes=2)\n"
        "found = encoder.encode(texts, precision='fp32')\n"
        f"encoder.encode_file(texts, {target!r}, engine=engine, precision='fp32')\n"
        f"print(found.shape, abs(np.load({target!r}) - found).max() < 1e-5)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["(50, 256) True"]


class Told:
    """Stands for a worker: says what it is told, and that it was let go."""

    def __init__(self, run: Pass, number: int, processes: int) -> None:
        self.number, self.waiting, self.most, self.gone = number, [], 0, False
        WORKERS.append(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.gone = True

    def send(self, window: list[str]) -> None:
        self.waiting.append(window)
        self.most = max(self.most, len(self.waiting))

    def receive(self, truncated: Truncated) -> np.ndarray:
        return np.full((len(self.waiting.pop(0)), 1), self.number)


WORKERS: list[Told] = []


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    WORKERS.clear()
    monkeypatch.setattr(processes, "Worker", Told)
    return WORKERS


def test_windows_go_out_in_turn_and_few_wait(told: list[Told]) -> None:
    blocks = list(blocks_of(a_pass(), TEXTS * 5, 3))
    assert [int(block[0, 0]) for block in blocks] == [number % 3 for number in range(len(blocks))]
    assert sum(map(len, blocks)) == 350
    assert [worker.most for worker in told] == [2, 2, 2]


def test_no_process_is_left_when_the_reader_stops(told: list[Told]) -> None:
    blocks = blocks_of(a_pass(), TEXTS, 2)
    next(blocks)
    assert [worker.gone for worker in told] == [False, False]
    blocks.close()
    assert [worker.gone for worker in told] == [True, True]


def test_they_share_the_threads_and_end_with_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    monkeypatch.setattr(Worker, "_put", lambda self, content: given.append(content))
    monkeypatch.setattr(torch, "get_num_threads", lambda: 5)
    with Worker(a_pass(), 0, 2) as worker:
        worker._program.kill()
    assert worker._program.poll() is not None
    ((_, device, threads),) = given  # type: ignore[misc]
    assert (device, threads) == ("cpu", 2)


def test_a_process_that_dies_is_told() -> None:
    with Worker(a_pass(), 1, 2) as worker:
        worker._program.kill()
        with pytest.raises(WorkError, match=r"Process 2 of 2 ended with code -9: perhaps memory ran out"):
            worker.receive(Truncated(8))


def test_impossible_engines() -> None:
    with pytest.raises(RequestError, match="processes: 0"):
        Engine(processes=0)
    with pytest.raises(RequestError, match="batch_tokens: 0"):
        Engine(batch_tokens=0)
