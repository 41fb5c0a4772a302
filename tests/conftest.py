"""What every test shares: no network, one thread, and the option that names real data."""

from __future__ import annotations

import os
from pathlib import Path

# Before any test imports torch or transformers: nothing may reach a hub, and results do not depend on cores.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest

# A busy machine is no fault of the code: no deadlines. Fifty examples keep the fast tests fast.
hypothesis.settings.register_profile("twinset", deadline=None, max_examples=50, print_blob=True)
hypothesis.settings.load_profile("twinset")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--data",
        metavar="PATH",
        default=None,
        help="folder with the evaluation data (sts_en/, nli/, ...); tests that need it are skipped without",
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--data")
    if path is not None and not Path(path).is_dir():
        raise pytest.UsageError(f"--data {path}: no such folder")


@pytest.fixture(autouse=True)
def plain_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `auto` computes in does not depend on the machine; tests of bf16 ask for it by name."""
    monkeypatch.setattr("twinset.encoder.precision._cpu_has_bf16", lambda: False)


@pytest.fixture(scope="session")
def data_root(request: pytest.FixtureRequest) -> Path:
    """The folder named by --data; the test is skipped when none is."""
    path = request.config.getoption("--data")
    if path is None:
        pytest.skip("needs real data: pytest -m slow --data PATH")
    return Path(path).resolve()
