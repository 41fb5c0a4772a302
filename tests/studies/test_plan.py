from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.tiny_study import study_text, variants_text
from twinset.studies import parse_study, plan, run_study
from twinset.studies.plan import _counted

pytestmark = pytest.mark.usefixtures("forked")


def test_from_a_probe_then_from_finished_cells(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "a"
    text = study_text(data, head="seeds = 2\n")
    first = plan(parse_study(text), out=out)
    assert not out.exists()
    assert (first.counted, first.screening, first.processes) == ((4, 0), (0, 0), 1)
    assert first.measured == "from a probe of plain, seed 0: 12 updates and one evaluation"
    assert first.seconds > 0
    assert "plain (baseline)" in first.told()
    run_study(parse_study(text, seeds=1), out=out)
    second = plan(parse_study(text), out=out)
    assert second.counted == (4, 2)
    assert second.measured == "as the 2 finished cell(s) took"
    assert plan(parse_study(text, seeds=1), out=out).seconds == 0
    assert "nothing is left to train" in plan(parse_study(text, seeds=1), out=out).told()


def test_with_a_screening_the_most_there_can_be() -> None:
    text = "seeds = 5\n" + variants_text(*(f'name = "{name}"' for name in "abcdef")) + "[screen]\nkeep = 2\n"
    study = parse_study(text)
    assert len(study.screening) == 12
    assert _counted(study, study.counted(study.variants)) == 15
