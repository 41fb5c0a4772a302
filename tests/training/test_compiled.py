from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import nn
from torch._dynamo.utils import counters

from tests.encoder.tiny import SENTENCES, tiny_encoder
from tests.training.runs import DATA, TEXTS, journal, quick, run, watch, weights
from twinset.encoder.cheap_dropout import CheapDropout
from twinset.errors import RecipeError, WorkError
from twinset.training import compiled as module
from twinset.training.compiled import Compiled
from twinset.training.corpus import tokenised
from twinset.training.learner import Learner
from twinset.training.steps import Cached
from twinset.types import Look
from twinset.views import FeatureCutoff, Pair, TokenShuffle

CPU = torch.device("cpu")
VIEWS = Pair(FeatureCutoff(rate=0.2), TokenShuffle())


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What is compiled, by a compiler that runs it as it is."""
    found: list[object] = []

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> object:
        found.append(graph)
        return graph.forward

    torch.compiler.reset()
    monkeypatch.setattr(module, "SETTINGS", {"backend": backend, "dynamic": True})
    yield found
    torch.compiler.reset()


def learner(*, compiled: bool, **settings: object) -> Learner:
    encoder = tiny_encoder("bert")
    recipe = quick(compile=compiled, **settings)
    return Learner(encoder, tokenised(encoder, DATA, None), recipe, 0, "fp32")


def losses(mine: Learner, updates: int = 3) -> list[float]:
    batches = [torch.arange(8 * number, 8 * number + 8) for number in range(updates)]
    return [float(mine.learn(rows, 1.0)[0].value) for rows in batches]


def test_losses_are_those_without_a_compiler(graphs: list[object]) -> None:
    settings = {"views": VIEWS, "dropout": 0.3, "step": Cached(), "chunk_tokens": 64}
    expected = losses(learner(compiled=False, **settings))
    assert graphs == []
    counters.clear()
    assert losses(learner(compiled=True, **settings)) == pytest.approx(expected, abs=1e-5)
    assert len(graphs) >= 3  # the check of the compiler, then layers with a gradient and without
    assert counters["graph_break"] == {}, "a layer is one piece, dropout included"


def test_a_run_is_the_one_without_a_compiler(graphs: list[object], tmp_path: Path) -> None:
    for name, compiled in (("plain", False), ("compiled", True)):
        run(quick(compile=compiled, steps=4), out=tmp_path / name, dev=watch)
    first, second = (journal(tmp_path / name) for name in ("plain", "compiled"))
    assert graphs
    assert [line.get("loss") for line in first] == pytest.approx(
        [line.get("loss") for line in second], abs=1e-4
    )
    plain, other = (load_file(tmp_path / name / "model/model.safetensors") for name in ("plain", "compiled"))
    assert plain.keys() == other.keys()
    for name, value in plain.items():
        torch.testing.assert_close(other[name], value, atol=1e-4, rtol=1e-3)


def test_views_act_in_a_layer_that_was_compiled_without_them(graphs: list[object]) -> None:
    encoder = tiny_encoder("bert")
    backbone = encoder.backbone.eval()
    mine = Compiled(backbone.model, CPU)
    tokens = encoder.tokenize(SENTENCES).take(torch.arange(len(SENTENCES)))
    plain = Look(tokens=tokens)
    masked = replace(plain, keep_features=torch.arange(backbone.width).expand(len(SENTENCES), -1) % 3 > 0)
    for look in (plain, masked, plain):
        with mine.acting():
            found = backbone(look)
        torch.testing.assert_close(found, backbone(look), atol=1e-5, rtol=1e-5)
    assert not torch.allclose(backbone(plain), backbone(masked), atol=1e-3)


def test_between_two_batches_the_model_is_its_plain_self(graphs: list[object]) -> None:
    mine = learner(compiled=True)
    names = set(weights(mine.encoder))
    assert names == set(weights(tiny_encoder("bert")))
    mine.learn(torch.arange(8), 1.0)
    assert set(weights(mine.encoder)) == names
    assert not any("forward" in vars(part) for part in mine.backbone.modules())
    compiled = len(graphs)
    vectors = mine.encoder.encode(TEXTS)
    assert len(graphs) == compiled
    other = copy.deepcopy(mine.encoder)
    with torch.no_grad():
        for weight in mine.backbone.parameters():
            weight.zero_()
    assert abs(other.encode(TEXTS) - vectors).max() < 1e-6


def test_a_model_is_its_plain_self_after_a_failure(graphs: list[object]) -> None:
    backbone = tiny_encoder("bert").backbone
    mine = Compiled(backbone.model, CPU)
    with pytest.raises(ValueError, match="of another kind"), mine.acting():
        raise ValueError("of another kind")
    assert not any("forward" in vars(part) for part in backbone.modules())


def test_masks_of_one_size_are_not_taken_for_one_mask() -> None:
    """Tidying graphs merges what is computed twice; this backend does it as the real one's front does. It is
    one graph: drawing in place would end it."""

    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = CheapDropout(0.5), CheapDropout(0.5)

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            once = self.first(values)
            return once + 10 * self.second(once * 0 + 1)

    part = Twice().train()
    values = torch.ones(8, 16, requires_grad=True)
    found: list[torch.Tensor] = []
    for forward in (
        part.forward,
        torch.compile(part.forward, backend="aot_eager_decomp_partition", fullgraph=True),
    ):
        torch.manual_seed(3)
        given = forward(values)
        (gradient,) = torch.autograd.grad(given.sum(), values)
        found += [given.detach(), gradient]
    assert torch.equal(found[0], found[2])
    assert torch.equal(found[1], found[3])
    assert set(found[0].unique().tolist()) == {0.0, 2.0, 20.0, 22.0}


def test_more_variants_are_compiled_than_torch_allows_by_itself(graphs: list[object]) -> None:
    mine = Compiled(tiny_encoder("bert").backbone.model, CPU)
    before = torch._dynamo.config.recompile_limit
    with mine.acting():
        assert torch._dynamo.config.recompile_limit >= 16 > before
    assert torch._dynamo.config.recompile_limit == before


def test_without_a_compiler_it_is_told_before_the_run_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def backend(graph: object, inputs: object) -> object:
        raise FileNotFoundError("g++ is not here")

    monkeypatch.setattr(module, "SETTINGS", {"backend": backend})
    with pytest.raises(RecipeError, match=r"compile: nothing can be compiled here: .*g\+\+ is not here"):
        run(quick(compile=True), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_layers_that_cannot_be_compiled_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> object:
        if len(list(graph.graph.nodes)) > 5:
            raise NotImplementedError("softmax of seven")
        return graph.forward

    monkeypatch.setattr(module, "SETTINGS", {"backend": backend})
    with pytest.raises(WorkError, match=r"layers cannot be compiled: .*softmax of seven.* Leave compile out"):
        run(quick(compile=True))


def test_a_model_without_a_stack_is_told() -> None:
    with pytest.raises(RecipeError, match="compile: Linear has no stack of layers"):
        Compiled(nn.Linear(2, 2), CPU)


def test_layers_are_those_of_the_outermost_lists() -> None:
    inner = nn.ModuleList([nn.Linear(2, 2)])
    block = nn.Sequential(inner)
    model = nn.ModuleDict({"stack": nn.Sequential(nn.ModuleList([block, block])), "other": nn.Linear(2, 2)})
    assert list(module._stacked(model)) == [block, block]


@pytest.mark.slow
def test_the_real_compiler_gives_the_same_losses_and_really_ran() -> None:
    settings = {"views": VIEWS, "dropout": 0.1, "step": Cached(), "chunk_tokens": 64}
    expected = losses(learner(compiled=False, **settings), 6)
    torch.compiler.reset()
    counters.clear()
    assert losses(learner(compiled=True, **settings), 6) == pytest.approx(expected, abs=1e-4)
    assert counters["stats"]["unique_graphs"] >= 3
    assert counters["graph_break"] == {}
    assert sum(counters["inductor"].values()) > 0
    torch.compiler.reset()
