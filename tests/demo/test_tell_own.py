from __future__ import annotations

import json
from pathlib import Path

from twinset.demo.nearest import Hit
from twinset.demo.own import Neighbours, OwnText
from twinset.demo.tell_own import facts_own, told_own

OWN = OwnText(
    source=Path("my texts.txt"),
    texts=9,
    looked_at=(
        Neighbours(
            text="a line",
            before=(Hit(row=3, score=0.5, text="near\nbefore"),),
            after=(Hit(row=4, score=0.75, text="near after"),),
        ),
    ),
    updates=5,
    seconds=2.0,
    folder=Path("demo"),
)


def test_what_changed_is_not_called_better() -> None:
    text = told_own(OWN)
    assert "9 texts, 5 updates in 2 s" in text
    assert "    0.500  near before\n  after\n    0.750  near after" in text
    assert "not that it is\nbetter" in text


def test_the_commands_can_be_copied() -> None:
    assert "twinset search demo/run 'my texts.txt'" in told_own(OWN)
    assert "--data 'my texts.txt' > run.toml" in told_own(OWN)


def test_facts() -> None:
    told = json.loads(json.dumps(facts_own(OWN)))
    assert told["texts"] == 9
    assert told["neighbours"][0]["after"] == [{"row": 4, "score": 0.75, "text": "near after"}]
    assert Path(told["model"]) == Path("demo/run/model")
