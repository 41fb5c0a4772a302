from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import twinset
from tests.encoder.graphs import GRAPHS
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


@pytest.mark.parametrize("backend", GRAPHS)
def test_a_graph_there_and_back(
    backend: str, tiny_folder: Path, texts: Path, scored: Path, tmp_path: Path
) -> None:
    folder, out = tmp_path / "exported", tmp_path / "out.npy"
    result = twinset("export", tiny_folder, "--to", backend, "-o", folder)
    assert (result.code, result.err) == (0, "")
    assert f"--backend {backend} runs its graph" in result.out
    assert twinset("encode", folder, texts, "--backend", backend, "-o", out).code == 0
    lines = texts.read_text(encoding="utf-8").splitlines()
    np.testing.assert_allclose(np.load(out), Encoder.from_pretrained(tiny_folder).encode(lines), atol=1e-5)
    for command in (("evaluate", "--file", scored), ("search", texts, "text number 3 about a cat", "-k", 3)):
        verb, *rest = command
        found, expected = (
            json.loads(twinset(verb, model, *rest, "--json", *options).out)
            for model, options in ((folder, ["--backend", backend]), (tiny_folder, []))
        )
        assert _rounded(found) == _rounded(expected)


def test_the_backend_is_what_runs(tiny_folder: Path, tmp_path: Path, texts: Path, scored: Path) -> None:
    """Each command asks for a graph, which this folder does not have."""
    commands = (
        ("encode", tiny_folder, texts, "-o", tmp_path / "out.npy"),
        ("evaluate", tiny_folder, "--file", scored),
        ("search", tiny_folder, texts, "a cat"),
    )
    for command in commands:
        result = twinset(*command, "--backend", "openvino")
        assert (result.code, "has no openvino/openvino_model.xml" in result.err) == (2, True)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items() if name not in {"encoder", "model"}}
    return [_rounded(item) for item in value] if isinstance(value, list) else value
