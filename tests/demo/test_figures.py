from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.demo.asked import ANGLES, ASKED, Angles
from twinset.baselines import BM25, TfIdf
from twinset.demo.figures import Choice, Figure, Figures, figures
from twinset.demo.interval import interval
from twinset.demo.judge import Cosines, judged
from twinset.demo.together import best_weight, together

SETS = (ASKED, replace(ASKED, kind="name"), replace(ASKED, kind="see_also", own=(1, 1)))
ELSEWHERE = tuple(replace(each, package="other") for each in SETS)
RAW = Cosines(Angles(), SETS)  # type: ignore[arg-type]
TRAINED = Cosines(Angles({**ANGLES, "summary two": 50, "summary four": 60}), SETS)  # type: ignore[arg-type]


def test_every_system_is_scored_as_it_ranks() -> None:
    found = figures(SETS, ELSEWHERE, RAW, TRAINED)
    for figure, each in zip((*found.dev, *found.held_out), (*SETS, *ELSEWHERE), strict=True):
        words = {
            "tfidf": TfIdf(each.candidates, sublinear=True).scores(each.asked),
            "bm25": BM25(each.candidates).scores(each.asked),
        }
        best = words[found.choice.words]
        rankings = {"raw": RAW.scores(each), "trained": TRAINED.scores(each), **words}
        for name in ("raw", "trained"):
            weight = found.choice.weights[name][each.kind]
            rankings[f"with_{name}"] = together(rankings[name], best, each, weight)
        assert set(figure.scores) == set(rankings)
        for system, scores in rankings.items():
            np.testing.assert_allclose(figure.scores[system], judged(scores, each))


def test_weights_and_words_are_chosen_on_the_dev_package_alone() -> None:
    found = figures(SETS, ELSEWHERE, RAW, TRAINED)
    by_words = {
        "tfidf": [TfIdf(each.candidates, sublinear=True).scores(each.asked) for each in SETS],
        "bm25": [BM25(each.candidates).scores(each.asked) for each in SETS],
    }
    means = {
        name: np.mean([judged(scores, each).mean() for scores, each in zip(all_scores, SETS, strict=True)])
        for name, all_scores in by_words.items()
    }
    assert means[found.choice.words] == max(means.values())
    for each, words in zip(SETS, by_words[found.choice.words], strict=True):
        assert found.choice.weights["raw"][each.kind] == best_weight(RAW.scores(each), words, each)
        assert found.choice.weights["trained"][each.kind] == best_weight(TRAINED.scores(each), words, each)
    turned = tuple(replace(each, right=((2,), (0,))) for each in ELSEWHERE)
    assert figures(SETS, turned, RAW, TRAINED).choice == found.choice
    assert figures(tuple(replace(each, right=((2,), (0,))) for each in SETS), (), RAW, TRAINED).choice != (
        found.choice
    )


@pytest.mark.parametrize(("right", "words"), [(0, "bm25"), (1, "tfidf")])
def test_the_ranking_by_words_that_is_better_on_the_dev_package(right: int, words: str) -> None:
    """A cosine is highest for the query's only word alone; BM25 likes to see it three times."""
    one = replace(
        ASKED,
        asked=("red",),
        candidates=("red red red blue", "red"),
        right=((right,),),
        own=(-1,),
        files=("pk.a",),
    )
    angles = Cosines(Angles({"red": 0, "red red red blue": 30}), [one])  # type: ignore[arg-type]
    assert figures((one,), (), angles, angles).choice.words == words


def _figure(package: str, raw: list[float], trained: list[float]) -> Figure:
    count = len(raw)
    asked = replace(
        ASKED,
        package=package,
        asked=("question one",) * count,
        right=((0,),) * count,
        own=(-1,) * count,
        files=tuple(map(str, range(count))),
    )
    return Figure(questions=asked, scores={"raw": np.array(raw), "trained": np.array(trained)})


def test_packages_count_alike_and_gains_are_in_points() -> None:
    one = _figure("one", [0.1, 0.3], [0.5, 0.5])
    other = _figure("other", [0.2] * 4, [0.3, 0.4, 0.5, 0.6])
    found = Figures(
        held_out=(one, other), dev=(), choice=Choice(words="tfidf", weights={"raw": {}, "trained": {}})
    )
    assert one.mean("raw") == pytest.approx(20)
    assert found.macro("description", "trained") == pytest.approx((50 + 45) / 2)
    gain, low, high = found.gain("description", "trained", "raw")
    assert gain == pytest.approx((30 + 25) / 2)
    differences = [100 * (each.scores["trained"] - each.scores["raw"]) for each in (one, other)]
    assert (low, high) == interval(differences, [one.questions.files, other.questions.files])
    assert low < gain < high
    assert found.of("name") == ()
