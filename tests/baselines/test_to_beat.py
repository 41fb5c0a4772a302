from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.baselines import to_beat
from twinset.encoder import POOLINGS

TEXTS = [f"{sentence} {number}" for sentence in SENTENCES for number in range(8)]


def test_everything_for_these_texts() -> None:
    systems = to_beat(tiny_encoder("bert"), TEXTS)
    names = [getattr(system, "name", "") for system in systems]
    assert names == [
        "TF-IDF (fitted on these very texts)",
        "BM25 (fitted on these very texts)",
        "static sub-words of tiny-bert",
        "static sub-words of tiny-bert, SIF (fitted on these very texts)",
        *(f"tiny-bert, {name}" for name in POOLINGS),
        "tiny-bert, first_last, whitened (fitted on these very texts)",
        "tiny-bert, first_last, flow (fitted on these very texts)",
    ]
    for system in systems:
        found = system.encode(TEXTS[:5])  # type: ignore[arg-type]
        assert found.shape[0] == 5
        assert np.isfinite(found).all()


def test_texts_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    encoder = tiny_encoder("bert")
    poolings = type(encoder).poolings

    def counted(self, texts, names, **settings):  # noqa: ANN001, ANN003, ANN202
        seen.append(len(texts))
        return poolings(self, texts, names, **settings)

    monkeypatch.setattr(type(encoder), "poolings", counted)
    for system in to_beat(encoder, [*TEXTS, *TEXTS]):
        system.encode(TEXTS)  # type: ignore[arg-type]
    assert seen == [len(TEXTS)]


def test_fitted_on_other_texts() -> None:
    systems = {each.name: each for each in to_beat(tiny_encoder("bert"), TEXTS[:3], fit_on=TEXTS[3:])}  # type: ignore[attr-defined]
    assert "tiny-bert, first_last, whitened (fitted on 77 texts)" in systems
    assert "static sub-words of tiny-bert, SIF (fitted on 77 texts)" in systems
    (same,) = (each for each in to_beat(tiny_encoder("bert"), TEXTS[3:]) if "whitened" in each.name)  # type: ignore[attr-defined]
    found = systems["tiny-bert, first_last, whitened (fitted on 77 texts)"]
    np.testing.assert_allclose(found.kernel, same.kernel)  # type: ignore[attr-defined]
    named = to_beat(tiny_encoder("bert"), TEXTS[:3], fit_on=TEXTS, fitted_on="the manuals")
    assert named[-1].name == "tiny-bert, first_last, flow (fitted on the manuals)"  # type: ignore[attr-defined]


def test_a_file_of_word_vectors_is_averaged_as_well(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("cat 1 2\ndog 3 4\nthe 0 1\nrain 1 1\n")
    names = [each.name for each in to_beat(tiny_encoder("bert"), TEXTS, word_file=path)]  # type: ignore[attr-defined]
    assert "words of glove.txt" in names
    assert "words of glove.txt, SIF (fitted on these very texts)" in names


def test_what_has_too_few_texts_is_left_out_and_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        names = [each.name for each in to_beat(tiny_encoder("bert"), TEXTS[:4])]  # type: ignore[attr-defined]
    assert not any("whitened" in name for name in names)
    assert "left out: whitening: 4 texts" in caplog.text
    assert any("flow" in name for name in names)
