from __future__ import annotations

import json
import platform

import torch

from twinset.training.environment import environment


def test_all_that_decides_a_run_s_bytes_is_told_and_json_can_hold_it() -> None:
    found = environment(torch.device("cpu"), "bf16", 7)
    assert json.loads(json.dumps(found)) == found
    assert found["python"] == platform.python_version()
    assert found["packages"]["torch"] == torch.__version__
    assert found["device"] == "cpu"
    assert (found["precision"], found["seed"]) == ("bf16", 7)
    assert found["threads"] == torch.get_num_threads()
    assert found["cores"] >= 1
    assert found["memory_gib"] > 0
    assert found["processor"] is not None


def test_a_package_that_is_not_there_has_no_version(monkeypatch) -> None:  # noqa: ANN001
    from importlib import metadata

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert set(environment(torch.device("cpu"), "fp32", 0)["packages"].values()) == {None}
