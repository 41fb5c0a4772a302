"""Against a stand-in for mteb 2: what its evaluators call, and how."""

from __future__ import annotations

import re
import sys
from enum import Enum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.encoder.tiny import SENTENCES, tiny_encoder
from tests.evaluation.judged_texts import KnownRoles
from tests.evaluation.known_vectors import KnownVectors, angle
from twinset.errors import RequestError
from twinset.evaluation import ForMteb


class PromptType(str, Enum):  # noqa: UP042 - as mteb has it
    query = "query"
    document = "document"


BATCHES = [{"text": ["10", "20"], "title": ["", ""]}, {"text": ["30"], "title": [""]}]
CALL: dict[str, Any] = {"task_metadata": SimpleNamespace(name="Toy"), "hf_split": "test", "hf_subset": "en"}


def _angles(*names: str) -> list[tuple[float, float]]:
    return [angle(name) for name in names]


def test_batches_are_encoded_in_their_role() -> None:
    model = ForMteb(KnownRoles())
    expected = {
        None: _angles("10", "20", "30"),
        PromptType.document: _angles("10", "20", "30"),
        PromptType.query: _angles("20", "30", "40"),
    }
    for prompt_type, vectors in expected.items():
        found = model.encode(BATCHES, **CALL, prompt_type=prompt_type, batch_size=32)
        np.testing.assert_allclose(found, vectors, atol=1e-6)
    with pytest.raises(RequestError, match="prompt type 'passage' is neither query nor document"):
        model.encode(BATCHES, **CALL, prompt_type="passage")


def test_an_encoder_without_roles_will_do() -> None:
    found = ForMteb(KnownVectors()).encode(BATCHES, **CALL, prompt_type=PromptType.query)
    np.testing.assert_allclose(found, _angles("10", "20", "30"), atol=1e-6)


def test_our_encoder_takes_what_mteb_gives() -> None:
    encoder = tiny_encoder("bert")
    found = ForMteb(encoder).encode([{"text": list(SENTENCES)}], **CALL, prompt_type=PromptType.document)
    np.testing.assert_allclose(found, encoder.encode_document(SENTENCES), atol=1e-6)


def test_similarities_are_cosines() -> None:
    model = ForMteb(KnownVectors())
    first, second = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([[4.0, 3.0], [1.0, 0.0]])
    assert model.similarity(first, second).tolist() == pytest.approx(np.array([[0.96, 0.6], [0, 0]]))
    assert model.similarity_pairwise(first, second).tolist() == pytest.approx([0.96, 0])


def test_results_are_filed_under_a_name_and_a_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("mteb.models")
    module.ModelMeta = SimpleNamespace(create_empty=lambda *, overwrites: overwrites)
    monkeypatch.setitem(sys.modules, "mteb", ModuleType("mteb"))
    monkeypatch.setitem(sys.modules, "mteb.models", module)
    assert ForMteb(KnownVectors()).mteb_model_meta == {"name": "twinset/known", "revision": "main"}
    named = ForMteb(KnownVectors(), "v2", name="runs/a b/")
    assert named.mteb_model_meta == {"name": "twinset/runs-a-b", "revision": "v2"}


def test_the_lines_in_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    module: Any = ModuleType("mteb")
    module.get_tasks = lambda *, tasks: tasks
    module.evaluate = lambda model, tasks: (model.encode(BATCHES, **CALL), tasks)
    monkeypatch.setitem(sys.modules, "mteb", module)
    names: dict[str, Any] = {"base": KnownVectors()}
    exec(code, names)  # noqa: S102 - our own page
    vectors, tasks = names["results"]
    np.testing.assert_allclose(vectors, _angles("10", "20", "30"), atol=1e-6)
    assert tasks == ["STSBenchmark"]
