"""The encoder that users hold: texts in, vectors out, and a folder to come from and go to."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast, final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from twinset.encoder.backbone import Backbone
from twinset.encoder.backends import Backend, check_backend
from twinset.encoder.card import Card
from twinset.encoder.encode import Pass
from twinset.encoder.engine import Engine
from twinset.encoder.folder import read_folder
from twinset.encoder.graph import facts_of
from twinset.encoder.head import Dense
from twinset.encoder.length import length_of
from twinset.encoder.lines import read_lines
from twinset.encoder.load import load_transformer
from twinset.encoder.npy import RowFile
from twinset.encoder.pooling import POOLINGS, Pooling, layers_needed, pool
from twinset.encoder.precision import Precision, resolve
from twinset.encoder.processes import blocks_of
from twinset.encoder.progress import shown
from twinset.encoder.prompts import Prompts
from twinset.encoder.quantize import Output, check_output, quantized, signs
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
        precision: Precision = "auto",
    ) -> None:
        self.backbone = backbone
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.normalize = normalize
        self.prompts = Prompts() if prompts is None else prompts
        self.name = name
        self.similarity_name = similarity_name
        self.precision: Precision = precision

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
        backend: Backend = "torch",
    ) -> Self:
        """An encoder from a folder (transformers' or sentence-transformers'), a hub id, or `mini`.

        What is not given here is what the folder says; a folder that says nothing gets mean pooling. prompts
        are laid over those of the folder; `{"query": ""}` takes one away. Weights are read as fp32 whatever
        they are stored as. backend: onnx and openvino run the graph that `twinset export` put
        into the folder, on the processor; such an encoder can encode, and nothing else.
        """
        check_backend(backend)
        folder = read_folder(locate(source, revision=revision, backend=backend))
        if pooling is not None:
            _check_pooling(pooling)
        model, tokenizer = load_transformer(folder.transformer, lower_case=folder.lower_case, backend=backend)
        name = str(source)
        return cls(
            Backbone(model, pooling=pooling or folder.pooling or "mean", head=folder.head),
            tokenizer,
            max_length=length_of(model, tokenizer, stored=folder.max_length, asked=max_length, name=name),
            normalize=folder.normalize,
            prompts=folder.prompts.updated(prompts or {}),
            name=name,
            similarity_name=folder.similarity,
        ).to(_device(device, backend))

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
        precision: Precision | None = None,
        output: Output = "fp32",
        engine: Engine | None = None,
        progress: bool = False,
    ) -> NDArray[Any]:
        """Vectors (n, d) in the texts' order; (d,) for a single text.

        role: whose prompt is put in front; prompt: this text in front instead. normalize: to unit length
        (None: as the folder says). precision: in which format to compute (None: the encoder's own). output:
        fp32, int8, or binary (d / 8 bytes a row). engine: how much at once, in how many processes.
        """
        if isinstance(texts, str):
            alone = self.encode(
                [texts], role=role, prompt=prompt, normalize=normalize, precision=precision, output=output
            )
            return alone[0]
        check_output(output)
        engine = engine or Engine()
        run = self._pass(role=role, prompt=prompt, engine=engine, precision=precision)
        blocks = [
            self._finished(block, normalize=normalize, output=output)
            for block in blocks_of(run, shown(texts, progress=progress), engine.processes)
        ]
        nothing = np.zeros((0, self.dimension), dtype=np.float32)
        return np.concatenate(blocks) if blocks else quantized(nothing, output)

    def encode_query(self, texts: str | Iterable[str], **settings: Any) -> NDArray[Any]:  # noqa: ANN401
        """`encode(texts, role="query", ...)`."""
        return self.encode(texts, role="query", **settings)

    def encode_document(self, texts: str | Iterable[str], **settings: Any) -> NDArray[Any]:  # noqa: ANN401
        """`encode(texts, role="document", ...)`."""
        return self.encode(texts, role="document", **settings)

    def encode_file(
        self,
        source: str | Path | Iterable[str],
        target: str | Path,
        *,
        role: str | None = None,
        normalize: bool | None = None,
        precision: Precision | None = None,
        output: Output = "fp32",
        engine: Engine | None = None,
        progress: bool = False,
    ) -> int:
        """Lines of a file (or any stream of texts) to a .npy file, in constant memory; gives their number."""
        check_output(output)
        engine = engine or Engine()
        texts = read_lines(Path(source)) if isinstance(source, str | Path) else source
        run = self._pass(role=role, prompt=None, engine=engine, precision=precision)
        row = quantized(np.zeros((1, self.dimension), dtype=np.float32), output)
        with RowFile(Path(target), width=row.shape[1], dtype=row.dtype) as file:
            for block in blocks_of(run, shown(texts, progress=progress), engine.processes):
                file.append(self._finished(block, normalize=normalize, output=output))
        return file.rows

    def poolings(
        self, texts: Iterable[str], names: Sequence[Pooling] = POOLINGS, *, role: str | None = None
    ) -> dict[Pooling, NDArray[np.float32]]:
        """What `encode` would give under each of these poolings, from one pass through the model."""
        for name in names:
            _check_pooling(name)
        layers = tuple(sorted({layer for name in names for layer in layers_needed(name)}))

        def embed(backbone: Backbone, look: Look) -> Tensor:
            hidden = backbone.hidden_states(look, layers=layers)
            pooled = [pool(name, hidden, look.tokens.mask) for name in names]
            return torch.stack([backbone.finish(vectors) for vectors in pooled], dim=1)

        blocks = list(self._pass(role=role).blocks(texts, embed)) if names else []
        shape = (0, len(names), self.dimension)
        vectors = np.concatenate(blocks) if blocks else np.zeros(shape, dtype=np.float32)
        return {name: self._finished(vectors[:, place].copy()) for place, name in enumerate(names)}

    def similarity(self, first: ArrayLike, second: ArrayLike | None = None) -> NDArray[np.float32]:
        """Cosines of all rows with all rows, (n, m); of the first with itself where there is no second.

        Rows may be what `encode` gives under any output: of binary rows (uint8) the signs are compared.
        """
        rows = self._compared(first)
        columns = rows if second is None else self._compared(second)
        return rows @ columns.T

    def _compared(self, given: ArrayLike) -> NDArray[np.float32]:
        rows = np.atleast_2d(np.asarray(given))
        values = signs(rows, self.dimension) if rows.dtype == np.uint8 else rows.astype(np.float32)
        return _unit(values)

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

    def with_precision(self, precision: Precision) -> Encoder:
        """The same weights, computing in another format."""
        resolve(precision, self.device, self.backbone.formats)
        other = copy.copy(self)
        other.precision = precision
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
        return {
            **facts_of(self.backbone.model),
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
        engine: Engine | None = None,
        precision: Precision | None = None,
    ) -> Pass:
        return Pass(
            backbone=self.backbone,
            tokenizer=self.tokenizer,
            max_length=self.max_length,
            prompt=self.prompts.of(role) if prompt is None else prompt,
            batch_tokens=None if engine is None else engine.batch_tokens,
            precision=self.precision if precision is None else precision,
        )

    def _finished(
        self, vectors: NDArray[np.float32], *, normalize: bool | None = None, output: Output = "fp32"
    ) -> NDArray[Any]:
        unit = self.normalize if normalize is None else normalize
        return quantized(_unit(vectors) if unit else vectors, output)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-12)).astype(np.float32, copy=False)


def _check_pooling(pooling: str) -> None:
    if pooling not in POOLINGS:
        raise ModelError(f"pooling {pooling!r} is none of {', '.join(POOLINGS)}")


def _device(device: str | torch.device | None, backend: Backend) -> str | torch.device:
    if device is not None:
        return device
    return "cuda" if backend == "torch" and torch.cuda.is_available() else "cpu"
