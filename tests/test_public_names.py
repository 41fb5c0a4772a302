"""What `import twinset` gives, and how quickly."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

import twinset

HEAVY = ("torch", "transformers", "pandas", "datasets", "pyarrow", "numpy", "typer", "pydantic")


@pytest.mark.parametrize("name", twinset.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(twinset, name) is not None
    assert name in dir(twinset)


def test_names_are_what_they_say() -> None:
    from twinset.encoder.encoder import Encoder
    from twinset.evaluation import evaluate
    from twinset.evaluation import tasks as evaluation_tasks
    from twinset.training.loop import train

    assert twinset.Encoder is Encoder
    assert twinset.train is train
    assert twinset.evaluate is evaluate
    assert twinset.tasks is evaluation_tasks


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'twinset' has no attribute 'trian'"):
        _ = twinset.trian  # type: ignore[attr-defined]


def test_version() -> None:
    assert twinset.__version__ == "0.1.0"


def _loaded_by(code: str) -> tuple[set[str], float]:
    program = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split()), time.perf_counter() - began


def test_import_loads_nothing_heavy() -> None:
    loaded, seconds = _loaded_by("import twinset")
    assert loaded.isdisjoint(HEAVY)
    assert seconds < 1


def test_the_command_line_loads_nothing_heavy() -> None:
    loaded, seconds = _loaded_by("import twinset.cli.app")
    assert loaded.isdisjoint(set(HEAVY) - {"typer"})
    assert seconds < 1
