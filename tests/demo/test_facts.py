from __future__ import annotations

import json
from pathlib import Path

import pytest

from twinset.demo.facts import facts
from twinset.demo.manuals import Manuals
from twinset.training.recipe import described


def test_everything_that_was_told_and_every_setting(story: Manuals) -> None:
    told = json.loads(json.dumps(facts(story)))
    assert told["seconds"] == {name: round(value, 2) for name, value in story.seconds.items()}
    assert told["training"] == {
        "pairs": 72,
        "updates": 4,
        "recipe": json.loads(json.dumps(described(story.recipe))),
    }
    assert told["training"]["recipe"]["steps"] == 4
    assert [(each["package"], each["kind"]) for each in told["figures"]] == [
        (each.questions.package, each.questions.kind) for each in story.figures.held_out
    ]
    for each, figure in zip(told["figures"], story.figures.held_out, strict=True):
        assert each["questions"] == len(figure.questions)
        assert each["candidates"] == len(figure.questions.candidates)
        assert each["files"] == 2
        assert each["scores"] == {system: figure.mean(system) for system in figure.scores}
        assert each["metric"] == ("MAP x 100" if each["kind"] == "see_also" else "MRR x 100")
    assert told["dev"]["words"] == story.figures.choice.words
    assert told["dev"]["weights"]["trained"] == dict(story.figures.choice.weights["trained"])
    assert len(told["dev"]["figures"]) == 3
    assert [each["rank"] for each in (told["examples"][0]["before"], told["examples"][0]["after"])] == [
        story.examples[0].before.rank,
        story.examples[0].after.rank,
    ]


def test_means_and_gains(story: Manuals) -> None:
    means = {each["kind"]: each for each in facts(story)["means"]}
    for kind in ("description", "name", "see_also"):
        points, low, high = story.figures.gain(kind, "trained", "raw")
        assert means[kind]["trained over raw"] == {"points": points, "low": low, "high": high}
        scores = means[kind]["scores"]
        assert points == pytest.approx(scores["trained"] - scores["raw"])
        beside = means[kind][f"with trained over {story.figures.choice.words}"]
        assert beside["points"] == pytest.approx(scores["with_trained"] - scores[story.figures.choice.words])


def test_the_corpus_is_told_package_by_package(story: Manuals) -> None:
    corpus = facts(story)["corpus"]
    assert corpus["digest"] == story.sides.digest
    assert [(each["package"], each["side"], each["docstrings"]) for each in corpus["packages"]] == [
        ("bk_taught", "training", 24),
        ("bk_dev", "dev", 8),
        ("bk_asked", "held out", 8),
        ("bk_other", "held out", 8),
    ]


def test_what_is_named_is_there(story: Manuals) -> None:
    told = facts(story)
    assert Path(told["model"]).is_dir()
    assert Path(told["texts"]).is_file()
