from __future__ import annotations

from pathlib import Path

from tests.studies.tiny_study import study_text
from twinset.studies import parse_study
from twinset.studies.facts import gathered, read_facts, write_facts

LAST = '[[variant]]\nname = "best"\n[[variant]]\nname = "last"\nset = ["recipe.select.keep=last"]\n'


def test_checkpoints_picked_on_what_they_are_scored_on(data: Path, tmp_path: Path) -> None:
    text = study_text(data, LAST).replace(f'dev = "{data / "dev.csv"}"', f'dev = "{data / "test.csv"}"')
    facts = gathered(parse_study(text))
    assert facts.warnings["best"] == (
        "checkpoints were picked on pairs that are scored on, too: test (70 of 70 pairs)",
    )
    assert facts.warnings["last"] == ()
    write_facts(facts, tmp_path / "items.json")
    again = read_facts(tmp_path / "items.json")
    assert again.warnings == facts.warnings
    assert {task: len(ids) for task, ids in again.clusters.items()} == {"test": 70, "more": 60}


def test_other_pairs_are_no_warning(data: Path) -> None:
    assert gathered(parse_study(study_text(data, LAST))).warnings == {"best": (), "last": ()}
