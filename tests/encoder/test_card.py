from __future__ import annotations

import yaml

from twinset.encoder.card import Card, render

CARD = Card(
    base_model="mini: raw",
    data="12,000 tickets",
    recipe={"temperature": 0.1, "views": "feature cutoff | shuffle"},
    scores={"STS-B": 0.76543, "verdict": "better"},
    licence="apache-2.0",
    tags=("tickets", "twinset"),
)


def test_front_matter_is_yaml_that_hubs_read() -> None:
    _, front, body = render(CARD, facts={"pooling": "mean"}).split("---\n", 2)
    found = yaml.safe_load(front)
    assert found["base_model"] == "mini: raw"
    assert found["license"] == "apache-2.0"
    assert found["library_name"] == "sentence-transformers"
    assert found["tags"].count("twinset") == 1
    assert "tickets" in found["tags"]
    assert body.count("\n# ") == 1


def test_says_all_it_was_told() -> None:
    text = render(CARD, facts={"pooling": "mean"}, remarks=("Mind the gap.",))
    for part in (
        "| pooling | mean |",
        "12,000 tickets",
        "| temperature | 0.1 |",
        "| views | feature cutoff \\| shuffle |",
        "| STS-B | 0.7654 |",
        "**Note.** Mind the gap.",
    ):
        assert part in text


def test_leaves_out_what_nobody_told() -> None:
    text = render(Card(), facts={"pooling": "mean"})
    assert "license" not in text
    assert "Scores" not in text
    assert "Recipe" not in text
