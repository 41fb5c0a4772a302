from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

from twinset.encoder.primitives import VARIABLES, keep_few

# In a process of its own: the caches ask the environment once.
SCRIPT = """
import psutil, torch
from twinset.encoder import backbone

def met(shapes):
    weight = torch.ones(256, 256, dtype=torch.bfloat16)
    for rows in shapes:
        torch.ones(rows, 256, dtype=torch.bfloat16) @ weight
        queries = torch.ones(rows, 16, 64, dtype=torch.bfloat16)
        torch.bmm(queries, queries.transpose(1, 2))
    return psutil.Process().memory_info().rss / 2**20

before = met(range(100, 140))
print(met(range(140, 540)) - before)
"""


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this build of torch has no oneDNN")
def test_memory_does_not_grow_with_the_shapes_met() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment
    )
    assert float(told.stdout) < 40


def test_what_is_set_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLES[0], "7")
    monkeypatch.delenv(VARIABLES[1], raising=False)
    keep_few()
    assert [os.environ[name] for name in VARIABLES] == ["7", "32"]
