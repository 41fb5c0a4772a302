"""The oracle: the whole batch at once through the model by hand, the gradient read at a hook."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from tests.encoder.tiny import ARCHITECTURES
from tests.objectives.hard_shapes import Head
from tests.training.steps.scenes import backbone, gradients, looks, scene
from twinset.encoder.backbone import Backbone
from twinset.encoder.pooling import mean
from twinset.errors import RecipeError
from twinset.objectives import InfoNCE, NTXent
from twinset.training.steps import Adversarial, Cached, Plain
from twinset.training.steps.adversarial import gradient_at_embeddings
from twinset.types import Look

ATTACK = InfoNCE(temperature=0.5)


def by_hand(encoder: Backbone, look: Look) -> tuple[Tensor, Tensor]:
    """The embedding layer's output after the look's masks, and the vectors it leads to."""
    caught: list[Tensor] = []

    def act(_module: nn.Module, _inputs: object, output: Tensor) -> Tensor:
        for mask in (
            None if look.keep_tokens is None else look.keep_tokens[:, :, None],
            None if look.keep_features is None else look.keep_features[:, None, :],
            look.keep_elements,
        ):
            output = output if mask is None else torch.where(mask, output, 0.0)
        caught.append(output)
        return output

    order = torch.arange(look.tokens.input_ids.shape[1]).expand(len(look), -1)
    order = order if look.order is None else look.order
    handle = encoder.embeddings.register_forward_hook(act)
    states = encoder.model(
        input_ids=look.tokens.input_ids.gather(1, order), attention_mask=look.tokens.mask.long()
    ).last_hidden_state
    handle.remove()
    # The mean does not care for order, so nothing need be put back.
    return caught[0], mean(states, look.tokens.mask)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("of", [0, 1, 2])
@pytest.mark.parametrize("budget", [None, 33])
def test_gradient_at_the_embedding_layer(architecture: str, of: int, budget: int | None) -> None:
    encoder = backbone(architecture, dropout=0)
    played = replace(scene(encoder, ATTACK), chunk_tokens=budget)
    found = gradient_at_embeddings(played, of)
    layers, vectors = zip(*(by_hand(encoder, look) for look in played.looks), strict=True)
    (expected,) = torch.autograd.grad(ATTACK(played.embedded(vectors)).value, layers[of])
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)
    assert float(expected.abs().max()) > 1e-4
    assert all(parameter.grad is None for parameter in encoder.parameters())


@pytest.mark.parametrize("inner", [Plain(), Cached()])
@pytest.mark.parametrize("of", [0, 2])
def test_raw_view_is_the_look_plus_the_gradient_times_size(inner: Plain | Cached, of: int) -> None:
    encoder = backbone("bert", dropout=0)
    played = scene(encoder, NTXent())
    outcome, _ = gradients(Adversarial(attack=ATTACK, of=of, size=3.0, scale="raw", inner=inner), played)
    eta = 3.0 * gradient_at_embeddings(replace(played, objective=ATTACK), of)
    with torch.no_grad():
        views = [encoder(look) for look in played.looks]
        perturbed = encoder(replace(played.looks[of], add=eta))
    assert len(outcome.embedded.views) == 4
    for found, expected in zip(outcome.embedded.views, [*views, perturbed], strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(perturbed, views[of])
    assert torch.equal(outcome.embedded.ids[3], played.batch.ids[played.looks[of].column])


def test_token_scale_gives_every_real_token_the_same_length() -> None:
    encoder = backbone("bert", dropout=0)
    played = scene(encoder, ATTACK)
    seen: list[Look] = []

    def embed(look: Look) -> Tensor:
        seen.append(look)
        return encoder(look)

    Adversarial(attack=ATTACK, size=0.25, scale="token")(replace(played, embedders=(embed,) * 3))
    added = seen[-1].add
    assert added is not None
    eta, mask = added[-6:], played.looks[0].tokens.mask
    eta = eta[:, : mask.shape[1]]
    raw = gradient_at_embeddings(played, 0)
    hit = mask & (raw.norm(dim=-1) > 0)
    torch.testing.assert_close(eta.norm(dim=-1)[hit], torch.full((int(hit.sum()),), 0.25))
    assert int(hit.sum()) == int(mask.sum())
    assert float(eta[~mask].abs().max()) == 0.0
    cosines = torch.nn.functional.cosine_similarity(eta[hit], raw[hit], dim=-1)
    torch.testing.assert_close(cosines, torch.ones_like(cosines))


def test_token_scale_survives_gradients_whose_squares_vanish() -> None:
    """A loss that is nearly zero: single precision has no number for a norm of 1e-30 squared."""

    class Tiny:
        needs = ATTACK.needs

        def __call__(self, batch):  # noqa: ANN001, ANN204
            loss = ATTACK(batch)
            return replace(loss, value=loss.value * 1e-28)

    encoder = backbone("bert", dropout=0)
    views = {}
    for name, attack in (("tiny", Tiny()), ("plain", ATTACK)):
        outcome, _ = gradients(Adversarial(attack=attack, scale="token"), scene(encoder, ATTACK))
        views[name] = outcome.embedded.views[3]
    torch.testing.assert_close(views["tiny"], views["plain"], rtol=1e-3, atol=1e-3)


def test_the_attack_goes_uphill() -> None:
    encoder = backbone("bert", dropout=0)
    played = replace(scene(encoder, ATTACK), looks=looks(width=encoder.width, acting=False), earlier=None)
    outcome, _ = gradients(Adversarial(attack=ATTACK, size=0.05), played)
    first, second, third, perturbed = outcome.embedded.views
    before = ATTACK(replace(outcome.embedded, views=(first, second, third), ids=played.batch.ids)).value
    after = ATTACK(replace(outcome.embedded, views=(perturbed, second, third), ids=played.batch.ids)).value
    assert after > before


def test_what_was_added_before_stays_added() -> None:
    encoder = backbone("bert", dropout=0)
    played = scene(encoder, ATTACK)
    shape = (*played.looks[0].tokens.input_ids.shape, encoder.width)
    noise = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    noisy = replace(played.looks[0], add=noise)
    played = replace(played, looks=(noisy, *played.looks[1:]))
    outcome, _ = gradients(Adversarial(attack=ATTACK, size=0.0), played)
    torch.testing.assert_close(outcome.embedded.views[3], outcome.embedded.views[0])


def test_the_attack_leaves_the_objective_s_own_gradients_alone() -> None:
    encoder = backbone("bert", dropout=0)
    played = scene(encoder, Head())
    _, plain = gradients(Plain(), played)
    _, attacked = gradients(Adversarial(attack=Head()), played)
    # Head reads the first three views alone, so the fourth and its making must change nothing.
    for name in ("own.matrix", "own.bias"):
        torch.testing.assert_close(attacked[name], plain[name])


def test_a_view_that_cannot_be() -> None:
    with pytest.raises(RecipeError, match=r"step\.of: -1 is below 0"):
        Adversarial(attack=ATTACK, of=-1)


def test_the_papers_rule_is_the_default() -> None:
    assert Adversarial(attack=ATTACK).scale == "raw"
