"""Thirty encoders to try statistics on: ten seeds each of three recipes, and what they predict, item by item.

The built-in encoder on 10,000 sentences of Wikipedia, two epochs, without any look at labels. Kept for each:
the cosines of all 8,628 pairs of STS-B, and for 8,092 images of flickr8k the reciprocal rank of the second
caption when the first searches among the second captions of all. The recipes: SimCSE and ConSERT as they
come, and SimCSE with a quarter of its learning rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import twinset as ts
from twinset.data import Folder
from twinset.data.components import row_components
from twinset.evaluation.embedding import distinct
from twinset.evaluation.metrics import cosine
from twinset.training import Recording

SEEDS = range(1, 11)
SENTENCES = 10_000


def recipes() -> dict[str, ts.Recipe]:
    """The three, by name."""
    simcse, consert = ts.recipes.simcse("mini"), ts.recipes.consert("mini")
    slow = replace(simcse, learning_rate=simcse.learning_rate / 4)
    return {"simcse": simcse, "consert": consert, "simcse-slow": slow}


def train(recipe: ts.Recipe, seed: int, data: Path) -> ts.Encoder:
    """One encoder."""
    texts = Folder(data).sentences("text_en/wiki_sentences", limit=SENTENCES)
    small = replace(recipe, epochs=2)
    run = ts.train(ts.Encoder.mini(), texts, small, seed=seed, recording=Recording(progress=False))
    return run.encoder


def predictions(encoder: ts.Encoder, data: Path) -> dict[str, np.ndarray]:
    """Cosines of STS-B's pairs, and reciprocal ranks of captions."""
    pairs = Folder(data).scored_pairs("sts_en/stsb")
    texts, (first, second) = distinct(pairs.columns)
    vectors = encoder.with_precision("fp32").encode(list(texts))
    asked, wanted = captions(data)
    one, two = (encoder.with_precision("fp32").encode(side) for side in (asked, wanted))
    one, two = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (one, two))
    similar = one @ two.T
    # Of equal similarities the wrong captions stand in front.
    ranks = (similar >= similar.diagonal()[:, None]).sum(axis=1)
    return {"sts": cosine(vectors[first], vectors[second]).round(6), "ranking": 1.0 / ranks}


def captions(data: Path) -> tuple[list[str], list[str]]:
    """The first and the second caption of every image."""
    table = pq.read_table(data / "captions" / "flickr8k.parquet").to_pydict()
    image = next(name for name in table if "image" in name)
    text = next(name for name in table if name in {"caption", "text", "sentence"})
    by_image: dict[str, list[str]] = {}
    for name, caption in zip(table[image], table[text], strict=True):
        by_image.setdefault(str(name), []).append(caption)
    return [own[0] for own in by_image.values()], [own[1] for own in by_image.values()]


def facts(data: Path) -> Mapping[str, np.ndarray]:
    """Gold scores and connected components of the pairs."""
    pairs = Folder(data).scored_pairs("sts_en/stsb")
    return {"gold": pairs.scores, "components": row_components(pairs.columns)}


def fill(out: Path, data: Path) -> None:
    """Train what is missing: finished encoders are kept."""
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "facts.npz", **facts(data))
    for seed in SEEDS:
        for name, recipe in recipes().items():
            target = out / f"{name}-{seed}.npz"
            if target.exists():
                continue
            found = predictions(train(recipe, seed, data), data)
            unfinished = target.with_name(f".{target.name}")
            with unfinished.open("wb") as file:
                np.savez(file, **found)
            unfinished.rename(target)
            print(f"{name}, seed {seed}: mean reciprocal rank {found['ranking'].mean():.4f}", flush=True)
