from __future__ import annotations

import torch

from tests.encoder.tiny import tiny_model
from twinset.export.masks import masks_of

MASK = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0]])


def test_others_take_the_mask_as_it_is() -> None:
    assert masks_of(tiny_model("bert"), MASK) is MASK


def test_every_place_sees_itself_and_real_tokens_near_it() -> None:
    model = tiny_model("modernbert")
    model.config.local_attention = 4
    assert model.config.sliding_window == 2
    masks = masks_of(model, MASK)
    for kind, window in (("full_attention", 99), ("sliding_attention", 2)):
        for text in range(2):
            for query in range(6):
                for key in range(6):
                    may = (bool(MASK[text, key]) and abs(query - key) <= window) or query == key
                    assert bool(masks[kind][text, 0, query, key] == 0) == may


def test_the_model_gives_real_tokens_what_it_gave() -> None:
    model = tiny_model("modernbert").eval()
    ids = torch.randint(5, 60, (2, 40), generator=torch.Generator().manual_seed(0))
    mask = (torch.arange(40) < torch.tensor([[40], [3]])).long()
    with torch.no_grad():
        expected = model(input_ids=ids, attention_mask=mask).last_hidden_state
        given = model(input_ids=ids, attention_mask=masks_of(model, mask)).last_hidden_state
    torch.testing.assert_close(given[mask.bool()], expected[mask.bool()], atol=1e-5, rtol=0)
