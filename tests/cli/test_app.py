from __future__ import annotations

import pytest

from tests.cli.command import twinset
from twinset.cli.app import app

VERBS = ["demo", "init", "train", "study", "evaluate", "compare", "encode", "search", "export"]


def test_the_verbs() -> None:
    assert [command.callback.__name__ for command in app.registered_commands if command.callback] == VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_each_explains_itself(verb: str) -> None:
    result = twinset(verb, "--help")
    assert result.code == 0
    assert "--json" in result.out or verb == "init"
    assert verb in twinset("--help").out
