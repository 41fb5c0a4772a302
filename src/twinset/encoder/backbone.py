"""A transformer that takes looks: any Hugging Face encoder, its source untouched.

What a look does at the embedding layer is done by a forward hook on the model's `embeddings` module, so
after word, position and segment sums, layer norm and the model's own embedding dropout. A permuted order
is carried by permuting the *token ids* and putting the hidden states back: for absolute positions this is
exactly permuted position ids, and it means the same where positions are relative or rotary (MPNet,
ModernBERT), which ignore position ids or never see them.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast, final

import torch
from torch import Tensor, nn

from twinset.encoder.pooling import Pooling, layers_needed, mean, pool
from twinset.errors import ModelError
from twinset.types import Look


@final
class Backbone(nn.Module):
    """A Hugging Face encoder, its pooling, and the dense layers that follow it."""

    def __init__(
        self, model: nn.Module, *, pooling: Pooling = "mean", head: nn.Sequential | None = None
    ) -> None:
        super().__init__()
        self.model = model
        self.pooling: Pooling = pooling
        self.head = nn.Sequential() if head is None else head

    @property
    def embeddings(self) -> nn.Module:
        """The module whose output is the embedding layer's."""
        found = getattr(self.model, "embeddings", None)
        if not isinstance(found, nn.Module):
            kind = type(self.model).__name__
            raise ModelError(
                f"{kind} has no `embeddings` module: views at the embedding layer cannot act on it. "
                "Use text-level views, or an encoder of the BERT family."
            )
        return found

    @property
    def width(self) -> int:
        """Size of the embedding layer's output (ELECTRA's may be smaller than its hidden size)."""
        config = cast("Any", self.model.config)
        return int(getattr(config, "embedding_size", None) or config.hidden_size)

    def hidden_states(self, look: Look, *, layers: tuple[int, ...] = (-1,)) -> tuple[Tensor, ...]:
        """States by layer as `pooling.pool` reads them; layers not asked for may be the last one's."""
        with self._acting(look):
            output = self.model(
                input_ids=_ordered(look.tokens.input_ids, look.order),
                attention_mask=look.tokens.mask.to(torch.int64),
                output_hidden_states=layers != (-1,),
            )
        last = cast("Tensor", output.last_hidden_state)
        # The last entry that the library gives may lack the final norm (ModernBERT): take the output itself.
        states = (last,) if layers == (-1,) else (*output.hidden_states[:-1], last)
        return tuple(_put_back(state, look.order) for state in states)

    def forward(self, look: Look) -> Tensor:
        """Raw vectors (n, d)."""
        hidden = self.hidden_states(look, layers=layers_needed(self.pooling))
        return cast("Tensor", self.head(pool(self.pooling, hidden, look.tokens.mask)))

    def embedding_layer(self, look: Look) -> Tensor:
        """The mean over real tokens of the embedding layer's output, (n, D), after the look's masks acted.

        A permuted order changes it through position embeddings only: where the layer adds none, not at all.
        """
        with self._acting(look):
            states = cast("Tensor", self.embeddings(input_ids=_ordered(look.tokens.input_ids, look.order)))
        return mean(_put_back(states, look.order), look.tokens.mask)

    @contextmanager
    def _acting(self, look: Look) -> Generator[None]:
        masks = (look.keep_tokens, look.keep_features, look.keep_elements, look.add)
        if all(mask is None for mask in masks):
            yield
            return

        def act(_module: nn.Module, _inputs: object, output: Tensor) -> Tensor:
            return _act(output, look)

        handle = self.embeddings.register_forward_hook(act)
        try:
            yield
        finally:
            handle.remove()


def _act(states: Tensor, look: Look) -> Tensor:
    """Masks speak of positions in the look's own order, as the states here are."""
    if look.keep_tokens is not None:
        states = states * look.keep_tokens[:, :, None].to(states.dtype)
    if look.keep_features is not None:
        states = states * look.keep_features[:, None, :].to(states.dtype)
    if look.keep_elements is not None:
        states = states * look.keep_elements.to(states.dtype)
    if look.add is not None:
        states = states + look.add.to(states.dtype)
    return states


def _ordered(values: Tensor, order: Tensor | None) -> Tensor:
    return values if order is None else values.gather(1, order)


def _put_back(states: Tensor, order: Tensor | None) -> Tensor:
    """States of permuted tokens back to the tokens' own places."""
    if order is None:
        return states
    return states.gather(1, order.argsort(dim=1)[:, :, None].expand_as(states))
