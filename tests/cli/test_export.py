from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import twinset
from twinset.encoder import Encoder


def test_sentence_transformers_loads_it(tiny_folder: Path, tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    out = tmp_path / "exported"
    assert twinset("export", tiny_folder, "--to", "sentence-transformers", "-o", out).code == 0
    theirs = library.SentenceTransformer(str(out), device="cpu").encode(["a cat", "a dog"])
    np.testing.assert_allclose(
        theirs, Encoder.from_pretrained(tiny_folder).encode(["a cat", "a dog"]), atol=1e-6
    )


def test_half_is_half_the_size_and_nearly_the_same(tiny_folder: Path, tmp_path: Path) -> None:
    whole, half = tmp_path / "whole", tmp_path / "half"
    for out, options in ((whole, []), (half, ["--half"])):
        result = twinset(
            "export", tiny_folder, "--to", "sentence-transformers", "-o", out, "--json", *options
        )
        assert json.loads(result.out)["half"] is bool(options)
    sizes = [(out / "model.safetensors").stat().st_size for out in (whole, half)]
    assert sizes[1] < 0.6 * sizes[0]
    vectors = [Encoder.from_pretrained(out).encode(["a cat"]) for out in (whole, half)]
    np.testing.assert_allclose(*vectors, atol=5e-3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["half", "whole"]
