"""The study file that the README shows is one."""

from __future__ import annotations

import re
from pathlib import Path

from twinset.studies import parse_study

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_study_of_the_readme() -> None:
    found = re.search(
        r"^```toml\n(baseline.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found is not None
    study = parse_study(found[1])
    assert [variant.name for variant in study.variants] == [
        "simcse",
        "consert learning_rate=1e-05",
        "consert learning_rate=5e-05",
    ]
    assert len(study.screening) == 6
