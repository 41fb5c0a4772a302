from __future__ import annotations

from tests.studies.tiny_study import variants_text
from twinset.studies import parse_study
from twinset.studies.screening import finalists, screened

STUDY = parse_study(
    'baseline = "b"\n'
    + variants_text('name = "a"', 'name = "b"', 'name = "c"', 'name = "d"')
    + "[screen]\nkeep = 2\nseeds = 2\n"
)


def test_the_best_on_dev_and_always_the_baseline() -> None:
    found = screened(STUDY, {"a": (0.5, 0.7), "b": (0.1, 0.1), "c": (0.9, 0.2), "d": (0.8, 0.6)})
    assert [(each.variant, each.kept) for each in found] == [
        ("d", True),
        ("a", True),
        ("c", False),
        ("b", True),
    ]
    assert found[0].mean == 0.7
    assert [each.name for each in finalists(STUDY, found)] == ["a", "b", "d"]


def test_a_variant_that_failed_is_not_chosen() -> None:
    found = screened(STUDY, {"a": (), "b": (0.1, 0.1), "c": (), "d": (-0.8, -0.6)})
    assert [each.variant for each in found if each.kept] == ["b", "d"]
    assert [each.mean for each in found[-2:]] == [None, None]


def test_few_variants_are_not_screened() -> None:
    text = variants_text('name = "a"', 'name = "b"') + "[screen]\nkeep = 2\n"
    study = parse_study(text)
    assert study.screening == ()
    assert finalists(study, ()) == study.variants
