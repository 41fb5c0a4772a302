"""The encoder that users hold: texts in, vectors out, and a folder to come from and go to."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast, final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast

from twinset.encoder.backbone import Backbone
from twinset.encoder.card import Card
from twinset.encoder.encode import Pass
from twinset.encoder.folder import read_folder
from twinset.encoder.head import Dense
from twinset.encoder.length import length_of
from twinset.encoder.lines import read_lines
from twinset.encoder.load import load_transformer
from twinset.encoder.npy import RowFile
from twinset.encoder.pooling import POOLINGS, Pooling, layers_needed, pool
from twinset.encoder.precision import Precision
from twinset.encoder.progress import shown
from twinset.encoder.prompts import Prompts
from twinset.encoder.save import save
from twinset.encoder.source import MINI, locate
from twinset.encoder.tokenize import tokenize
from twinset.encoder.tokens import TokenStore
from twinset.errors import ModelError, RequestError
from twinset.types import Look


@final
class Encoder:
    """A backbone, its tokenizer, and how texts go in and vectors come out.

    encoder = Encoder.from_pretrained("intfloat/e5-base-v2", max_length=256)
    vectors = encoder.encode(["a text", "another"])  # (2, d) float32
    """

    def __init__(
        self,
        backbone: Backbone,
        tokenizer: PreTrainedTokenizerFast,
        *,
        max_length: int,
        normalize: bool = False,
        prompts: Prompts | None = None,
        name: str = "encoder",
        similarity_name: str = "cosine",
    ) -> None:
        self.backbone = backbone
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.normalize = normalize
        self.prompts = Prompts() if prompts is None else prompts
        self.name = name
        self.similarity_name = similarity_name

    @classmethod
    def mini(cls, *, device: str | torch.device | None = None) -> Self:
        """The small raw encoder that comes with the package: 4 layers of 256, 128 tokens, mean pooling."""
        return cls.from_pretrained(MINI, device=device)

    @classmethod
    def from_pretrained(
        cls,
        source: str | Path,
        *,
        max_length: int | None = None,
        pooling: Pooling | None = None,
        device: str | torch.device | None = None,
        prompts: Mapping[str, str] | None = None,
        revision: str | None = None,
    ) -> Self:
        """An encoder from a folder (transformers' or sentence-transformers'), a hub id, or `mini`.

        What is not given here is what the folder says; a folder that says nothing gets mean pooling. prompts
        are laid over those of the folder; `{"query": ""}` takes one away. Weights are read as fp32 whatever
        they are stored as.
        """
        folder = read_folder(locate(source, revision=revision))
        if pooling is not None:
            _check_pooling(pooling)
        model, tokenizer = load_transformer(folder.transformer, lower_case=folder.lower_case)
        name = str(source)
        return cls(
            Backbone(model, pooling=pooling or folder.pooling or "mean", head=folder.head),
            tokenizer,
            max_length=length_of(model, tokenizer, stored=folder.max_length, asked=max_length, name=name),
            normalize=folder.normalize,
            prompts=folder.prompts.updated(prompts or {}),
            name=name,
            similarity_name=folder.similarity,
        ).to(_device(device))

    def save_pretrained(
        self, folder: str | Path, *, card: Card | None = None, overwrite: bool = False
    ) -> None:
        """Write a folder that `SentenceTransformer(folder)` and `Encoder.from_pretrained(folder)` read."""
        save(self, Path(folder).expanduser(), card=card, overwrite=overwrite)

    # ------------------------------------------------------------------------------------ texts to vectors

    def encode(
        self,
        texts: str | Iterable[str],
        *,
        role: str | None = None,
        prompt: str | None = None,
        normalize: bool | None = None,
        batch_tokens: int | None = None,
        precision: Precision = "fp32",
        progress: bool = False,
    ) -> NDArray[np.float32]:
        """Vectors (n, d) in the texts' order; (d,) for a single text.

        role: whose prompt is put in front; prompt: this text in front instead. normalize: to unit length
        (None: as the folder says). batch_tokens: how many tokens go through the model at once.
        """
        if isinstance(texts, str):
            alone = self.encode([texts], role=role, prompt=prompt, normalize=normalize, precision=precision)
            return cast("NDArray[np.float32]", alone[0])
        run = self._pass(role=role, prompt=prompt, batch_tokens=batch_tokens, precision=precision)
        blocks = list(run.blocks(shown(texts, progress=progress), self.backbone))
        vectors = np.concatenate(blocks) if blocks else np.zeros((0, self.dimension), dtype=np.float32)
        return self._finished(vectors, normalize=normalize)

    def encode_query(self, texts: str | Iterable[str], **settings: Any) -> NDArray[np.float32]:  # noqa: ANN401
        """`encode(texts, role="query", ...)`."""
        return self.encode(texts, role="query", **settings)

    def encode_document(self, texts: str | Iterable[str], **settings: Any) -> NDArray[np.float32]:  # noqa: ANN401
        """`encode(texts, role="document", ...)`."""
        return self.encode(texts, role="document", **settings)

    def encode_file(
        self,
        source: str | Path | Iterable[str],
        target: str | Path,
        *,
        role: str | None = None,
        normalize: bool | None = None,
        batch_tokens: int | None = None,
        precision: Precision = "fp32",
        progress: bool = False,
    ) -> int:
        """Lines of a file (or any stream of texts) to a .npy file, in constant memory; gives their number."""
        texts = read_lines(Path(source)) if isinstance(source, str | Path) else source
        run = self._pass(role=role, prompt=None, batch_tokens=batch_tokens, precision=precision)
        with RowFile(Path(target), width=self.dimension) as file:
            for block in run.blocks(shown(texts, progress=progress), self.backbone):
                file.append(self._finished(block, normalize=normalize))
        return file.rows

    def poolings(
        self, texts: Iterable[str], names: Sequence[Pooling] = POOLINGS, *, role: str | None = None
    ) -> dict[Pooling, NDArray[np.float32]]:
        """What `encode` would give under each of these poolings, from one pass through the model."""
        for name in names:
            _check_pooling(name)
        layers = tuple(sorted({layer for name in names for layer in layers_needed(name)}))

        def embed(look: Look) -> Tensor:
            hidden = self.backbone.hidden_states(look, layers=layers)
            pooled = [pool(name, hidden, look.tokens.mask) for name in names]
            return torch.stack([cast("Tensor", self.backbone.head(vectors)) for vectors in pooled], dim=1)

        blocks = list(self._pass(role=role).blocks(texts, embed)) if names else []
        shape = (0, len(names), self.dimension)
        vectors = np.concatenate(blocks) if blocks else np.zeros(shape, dtype=np.float32)
        return {name: self._finished(vectors[:, place].copy()) for place, name in enumerate(names)}

    def similarity(self, first: ArrayLike, second: ArrayLike | None = None) -> NDArray[np.float32]:
        """Cosines of all rows with all rows, (n, m); of the first with itself where there is no second."""
        rows = _unit(np.atleast_2d(np.asarray(first, dtype=np.float32)))
        columns = rows if second is None else _unit(np.atleast_2d(np.asarray(second, dtype=np.float32)))
        return rows @ columns.T

    # ------------------------------------------------------------------------------------- texts to tokens

    def tokenize(
        self, texts: Iterable[str], *, role: str | None = None, max_length: int | None = None
    ) -> TokenStore:
        """Token ids with the role's prompt in front, cut to `max_length` (None: the encoder's own); the
        store counts the cuts."""
        length = self.max_length if max_length is None else min(max_length, self.max_length)
        return tokenize(texts, self.tokenizer, max_length=length, prompt=self.prompts.of(role))

    def count_truncated(self, texts: Iterable[str], *, role: str | None = None) -> int:
        """How many texts are longer than the encoder sees."""
        return self.tokenize(texts, role=role).truncated

    # ------------------------------------------------------------------------------------------ the object

    def with_pooling(self, pooling: Pooling) -> Encoder:
        """The same weights under another pooling."""
        _check_pooling(pooling)
        other = copy.copy(self)
        other.backbone = Backbone(self.backbone.model, pooling=pooling, head=self.backbone.head)
        return other

    def copy(self) -> Encoder:
        """An encoder with weights of its own."""
        other = copy.copy(self)
        other.backbone = copy.deepcopy(self.backbone)
        return other

    def to(self, device: str | torch.device) -> Self:
        """Move the weights; gives the encoder itself."""
        try:
            self.backbone.to(torch.device(device))
        except (RuntimeError, AssertionError) as error:
            why = str(error).splitlines()[0]
            raise RequestError(f"device {str(device)!r} cannot be used here: {why}") from error
        return self

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.backbone.parameters()).device

    @property
    def pooling(self) -> Pooling:
        """How one vector is made of a text's many."""
        return self.backbone.pooling

    @property
    def dimension(self) -> int:
        """d, the size of a vector."""
        sizes = [part.linear.out_features for part in self.backbone.head if isinstance(part, Dense)]
        return sizes[-1] if sizes else int(cast("Any", self.backbone.model.config).hidden_size)

    @property
    def facts(self) -> dict[str, object]:
        """The encoder's own numbers, for cards and reports."""
        model: nn.Module = self.backbone.model
        return {
            "architecture": type(model).__name__,
            "parameters": f"{sum(weight.numel() for weight in model.parameters()):,}",
            "dimensions": self.dimension,
            "pooling": self.pooling,
            "unit length": "yes" if self.normalize else "no",
            "longest text": f"{self.max_length} tokens",
        }

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}: {value}" for name, value in self.facts.items())
        return f"Encoder({self.name!r}, {facts})"

    def _pass(
        self,
        *,
        role: str | None = None,
        prompt: str | None = None,
        batch_tokens: int | None = None,
        precision: Precision = "fp32",
    ) -> Pass:
        return Pass(
            backbone=self.backbone,
            tokenizer=self.tokenizer,
            max_length=self.max_length,
            prompt=self.prompts.of(role) if prompt is None else prompt,
            batch_tokens=batch_tokens,
            precision=precision,
        )

    def _finished(
        self, vectors: NDArray[np.float32], *, normalize: bool | None = None
    ) -> NDArray[np.float32]:
        return _unit(vectors) if (self.normalize if normalize is None else normalize) else vectors


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-12)).astype(np.float32, copy=False)


def _check_pooling(pooling: str) -> None:
    if pooling not in POOLINGS:
        raise ModelError(f"pooling {pooling!r} is none of {', '.join(POOLINGS)}")


def _device(device: str | torch.device | None) -> str | torch.device:
    return ("cuda" if torch.cuda.is_available() else "cpu") if device is None else device
