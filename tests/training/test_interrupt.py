from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.training.runs import journal, quick, quiet, run, same_weights, watch, weights
from twinset.encoder import Encoder
from twinset.errors import WorkError
from twinset.training.checkpoint import load_checkpoint
from twinset.training.interrupt import Interrupt

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import os, signal, sys
from tests.training.runs import quick, quiet, run, watch
from twinset.errors import WorkError
from twinset.training.disk import Disk

class Ringing(Disk):
    lines = 0
    def append(self, path, content):
        super().append(path, content)
        self.lines += 1
        if self.lines == 7:
            os.kill(os.getpid(), getattr(signal, sys.argv[2]))

try:
    run(quick(), out=sys.argv[1], dev=watch, recording=quiet(disk=Ringing()))
except WorkError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_first_is_noted_and_the_second_stops_at_once(name: str) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    with Interrupt() as interrupt:
        assert not interrupt.asked
        signal.raise_signal(number)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_outside_the_main_thread_nothing_is_touched() -> None:
    found: list[bool] = []

    def work() -> None:
        with Interrupt() as interrupt:
            found.append(interrupt.asked)

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False]
    assert signal.getsignal(signal.SIGINT) is before


def test_handlers_that_python_did_not_set_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with Interrupt() as interrupt:
        interrupt._before[signal.SIGTERM] = None
    assert signal.getsignal(signal.SIGTERM) == interrupt._ask
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupted_run_says_how_to_go_on_and_ends_as_the_unbroken_one(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    settings = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, str(folder), name]
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.strip() == f"Interrupted after update 6. Resume it from {folder}."
    assert load_checkpoint(folder).facts["state"]["update"] == 6
    run(out=folder, dev=watch, resume=True)
    run(out=tmp_path / "whole", dev=watch)
    assert journal(folder) == journal(tmp_path / "whole")
    for file in ("scores.json", "model/model.safetensors"):
        assert (folder / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    whole = Encoder.from_pretrained(tmp_path / "whole" / "model", device="cpu")
    assert same_weights(weights(whole), weights(Encoder.from_pretrained(folder / "model", device="cpu")))
    assert json.loads((folder / "environment.json").read_text())["seed"] == 0


def test_without_a_folder_nothing_is_promised() -> None:
    def ring(encoder: Encoder) -> dict[str, float]:
        signal.raise_signal(signal.SIGINT)
        return {"score": 1.0}

    with pytest.raises(WorkError, match=r"Interrupted after update 1\. Nothing was kept"):
        run(quick(), dev=ring, recording=quiet())
