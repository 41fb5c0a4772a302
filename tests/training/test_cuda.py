"""The same code on a GPU: only where there is one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch

from tests.encoder.tiny import ARCHITECTURES, SENTENCES, tiny_encoder
from tests.training.runs import journal
from tests.training.steps.scenes import assert_same, backbone, gradients, scene
from twinset.data import Sentences
from twinset.encoder.look import move
from twinset.negatives import Queue
from twinset.objectives import InfoNCE, NTXent
from twinset.training import Recipe, Recording, train
from twinset.training.steps import Adversarial, Cached, Plain
from twinset.types import Earlier, Look
from twinset.views import EmbeddingDropout, FeatureCutoff, Pair, TokenCutoff, TokenShuffle

if TYPE_CHECKING:
    from pathlib import Path

    from twinset.training.steps import Scene

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
DEVICE = torch.device("cuda")


def on_gpu(architecture: str) -> tuple[Scene, torch.nn.Module]:
    encoder = backbone(architecture).to(DEVICE)
    played = scene(encoder, InfoNCE(), chunk_tokens=40)
    old = played.earlier
    assert old is not None
    moved = Earlier(
        **{name: getattr(old, name).to(DEVICE) for name in ("vectors", "log_weights", "ids", "ages")}
    )

    def embed(look):  # noqa: ANN001, ANN202
        return encoder(move(look, DEVICE))

    return replace(played, embedders=(embed,) * 3, earlier=moved), encoder


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("outer", [None, Adversarial(attack=NTXent())], ids=["direct", "adversarial"])
def test_cached_equals_plain(architecture: str, outer: Adversarial | None) -> None:
    played, encoder = on_gpu(architecture)
    found = []
    for inner in (Plain(), Cached()):
        step = inner if outer is None else replace(outer, inner=inner)
        encoder.zero_grad(set_to_none=True)
        outcome = step(played)
        grads = {
            n: torch.zeros_like(p) if p.grad is None else p.grad.clone()
            for n, p in encoder.named_parameters()
        }
        found.append((float(outcome.loss.value), grads))
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-5)
    assert_same(found[0][1], found[1][1])


@pytest.mark.parametrize("architecture", ["bert", "modernbert"])
def test_gradients_equal_those_on_the_processor(architecture: str) -> None:
    played, encoder = on_gpu(architecture)
    encoder.eval()
    Plain()(played)
    on_device = {
        n: torch.zeros_like(p).cpu() if p.grad is None else p.grad.cpu()
        for n, p in encoder.named_parameters()
    }
    twin = backbone(architecture).eval()
    _, here = gradients(Plain(), scene(twin, InfoNCE(), chunk_tokens=40))
    assert_same(on_device, {name.removeprefix("0."): grad for name, grad in here.items()}, 1e-4)


def test_a_batch_goes_there_without_waiting() -> None:
    encoder = tiny_encoder("bert").to(DEVICE)
    tokens = encoder.tokenize(SENTENCES).take(torch.arange(len(SENTENCES)))
    mode = torch.cuda.get_sync_debug_mode()
    torch.cuda.set_sync_debug_mode("error")
    try:
        there = move(Look(tokens=tokens, keep_tokens=tokens.mask), DEVICE)
        sizes = there.tokens.sizes
    finally:
        torch.cuda.set_sync_debug_mode(mode)
    assert sizes == tokens.lengths.tolist() == there.tokens.lengths.tolist()
    assert torch.equal(there.tokens.input_ids.cpu(), tokens.input_ids)
    assert there.keep_tokens is not None
    assert torch.equal(there.keep_tokens.cpu(), tokens.mask)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_resumed_run_is_the_unbroken_run(tmp_path: Path, precision: str) -> None:
    encoder = tiny_encoder("bert").to(DEVICE)
    data = Sentences([f"{text} {number}" for number in range(6) for text in SENTENCES])
    recipe = Recipe(
        views=Pair(FeatureCutoff(), TokenShuffle()),
        memory=Queue(),
        step=Cached(),
        batch_size=12,
        epochs=4,
        precision=precision,
    )

    class StopError(Exception):
        pass

    def watch(_encoder: object) -> dict[str, float]:
        return {"constant": 0.0}

    seen: list[int] = []

    def breaks(_encoder: object) -> dict[str, float]:
        seen.append(1)
        if len(seen) == 3:
            raise StopError
        return {"constant": 0.0}

    quiet = Recording(progress=False)
    whole = train(encoder, data, recipe, dev=watch, out=tmp_path / "whole", recording=quiet)
    with pytest.raises(StopError):
        train(encoder, data, recipe, dev=breaks, out=tmp_path / "broken", recording=quiet)
    train(encoder, data, recipe, dev=watch, out=tmp_path / "broken", resume=True, recording=quiet)
    first, second = (tmp_path / name / "model/model.safetensors" for name in ("whole", "broken"))
    assert first.read_bytes() == second.read_bytes()
    assert whole.encoder.device.type == "cuda"


def test_compiled_there_it_learns_the_same(tmp_path: Path) -> None:
    settings = {"views": Pair(FeatureCutoff(), TokenShuffle()), "dropout": 0, "batch_size": 5, "epochs": 3}
    losses = []
    for name, compiled in (("plain", False), ("compiled", True)):
        encoder = tiny_encoder("bert").to(DEVICE)
        recipe = Recipe(**settings, precision="fp32", compile=compiled)  # type: ignore[arg-type]
        recording = Recording(progress=False, log_every=1)
        train(encoder, Sentences(list(SENTENCES)), recipe, out=tmp_path / name, recording=recording)
        losses.append([line["loss"] for line in journal(tmp_path / name)])
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)


def test_every_view_acts_there(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert").to(DEVICE)
    views = Pair(TokenCutoff(rate=0.3), EmbeddingDropout())
    run = train(encoder, Sentences(list(SENTENCES)), Recipe(views=views, batch_size=5, epochs=2))
    before, after = encoder.encode(["a cat"]), run.encoder.encode(["a cat"])
    assert abs(before - after).max() > 0
