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
from dataclasses import replace
from typing import Any, cast, final

import torch
from torch import Tensor, nn

from twinset.encoder.architecture import can_pack, inputs_of
from twinset.encoder.graph import Graph
from twinset.encoder.packing import Packing, pack, put_back
from twinset.encoder.pooling import Pooling, layers_needed, mean, pool
from twinset.encoder.precision import FORMATS, Format
from twinset.encoder.primitives import keep_few
from twinset.errors import ModelError
from twinset.types import Look

keep_few()


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
        self.packs = can_pack(model)

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
        if isinstance(self.model, Graph):
            return self.model(look, layers=layers)
        ids = _ordered(look.tokens.input_ids, look.order)
        packing = pack(look.tokens.sizes, ids.shape[1]) if self.packs else None
        if packing is None:
            inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": look.tokens.mask.to(torch.int64)}
        else:
            packing = packing.to(ids.device)
            inputs = {
                "input_ids": packing.lay(ids),
                **inputs_of(self.model, packing, self._format(ids.device)),
            }
        with self._acting(look, packing):
            output = self.model(**inputs, output_hidden_states=layers != (-1,))
        last = cast("Tensor", output.last_hidden_state)
        # The last entry that the library gives may lack the final norm (ModernBERT): take the output itself.
        states = (last,) if layers == (-1,) else (*output.hidden_states[:-1], last)
        if packing is not None:
            home = packing if look.order is None else packing.ordered(look.order)
            return tuple(home.back(state) for state in states)
        return tuple(_put_back(state, look.order) for state in states)

    def forward(self, look: Look) -> Tensor:
        """Raw vectors (n, d)."""
        hidden = self.hidden_states(look, layers=layers_needed(self.pooling))
        return self.finish(pool(self.pooling, hidden, look.tokens.mask))

    def finish(self, pooled: Tensor) -> Tensor:
        """What follows the pooling, in single precision at least."""
        precise = torch.promote_types(pooled.dtype, torch.float32)
        return cast("Tensor", self.head(pooled.to(precise)))

    def embedding_layer(self, look: Look) -> Tensor:
        """The mean over real tokens of the embedding layer's output, (n, D), after the look's masks acted.

        A permuted order changes it through position embeddings only: where the layer adds none, not at all.
        """
        with self._acting(look):
            states = cast("Tensor", self.embeddings(input_ids=_ordered(look.tokens.input_ids, look.order)))
        return mean(_put_back(states, look.order), look.tokens.mask)

    @contextmanager
    def _acting(self, look: Look, packing: Packing | None = None) -> Generator[None]:
        """The embedding layer's output as the look says, in the format that the layers compute in."""
        masks = (look.keep_tokens, look.keep_features, look.keep_elements, look.add)
        idle = all(mask is None for mask in masks)
        low = self._format(look.tokens.input_ids.device)
        if idle and (low == self.weights_format or not hasattr(self.model, "embeddings")):
            yield
            return
        laid = look if packing is None else _laid(look, packing)

        def act(_module: nn.Module, _inputs: object, output: Tensor) -> Tensor:
            # Autocast alone would keep the sums around every layer in fp32, and cast them again and again.
            return _act(output, laid).to(low)

        handle = self.embeddings.register_forward_hook(act)
        try:
            yield
        finally:
            handle.remove()

    def _format(self, device: torch.device) -> torch.dtype:
        """What the layers compute in. On an accelerator, autocast's own casts cost little."""
        if device.type == "cpu" and torch.is_autocast_enabled("cpu"):
            return torch.get_autocast_dtype("cpu")
        return self.weights_format

    @property
    def formats(self) -> tuple[Format, ...]:
        """What it can compute in."""
        return self.model.formats if isinstance(self.model, Graph) else FORMATS

    @property
    def weights_format(self) -> torch.dtype:
        """What the weights are kept in."""
        return next((weight.dtype for weight in self.model.parameters()), torch.float32)


def _laid(look: Look, packing: Packing) -> Look:
    """The look with its masks where packing puts the tokens; a text's features become its tokens'."""
    keep_elements = None if look.keep_elements is None else packing.lay(look.keep_elements)
    if look.keep_features is not None:
        features = packing.of_texts(look.keep_features)
        keep_elements = features if keep_elements is None else keep_elements & features
    return replace(
        look,
        keep_tokens=None if look.keep_tokens is None else packing.lay(look.keep_tokens),
        keep_features=None,
        keep_elements=keep_elements,
        add=None if look.add is None else packing.lay(look.add),
    )


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
    return states if order is None else put_back(states, order)
