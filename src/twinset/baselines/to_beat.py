"""What an encoder must beat on texts: rankings by words, static words, raw poolings, whitening and a flow."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from twinset.baselines.bert_flow import BertFlow
from twinset.baselines.bm25 import BM25
from twinset.baselines.input_words import InputWords
from twinset.baselines.pooled import pooled
from twinset.baselines.sif import Sif
from twinset.baselines.tfidf import TfIdf
from twinset.baselines.whitening import Whitening
from twinset.baselines.word_average import WordAverage, WordTable
from twinset.baselines.word_vectors import read_word_vectors
from twinset.data.texts import Texts
from twinset.errors import RequestError
from twinset.evaluation.embedding import Encodes, Progress

if TYPE_CHECKING:
    from twinset.encoder import Encoder

_log = logging.getLogger(__name__)

COLUMNS = 4096
"""Columns of the rankings by words: tens of thousands of texts, each with a column a word, are gigabytes."""

WHITENED = "first_last"
"""The pooling that whitening and flow are made on, which is their papers'."""


def to_beat(
    raw: Encoder,
    texts: Iterable[str],
    *,
    fit_on: Iterable[str] | None = None,
    fitted_on: str | None = None,
    word_file: Path | str | None = None,
    progress: Progress | None = None,
) -> tuple[Encodes, ...]:
    """Everything in this room, for these texts, from an encoder as it was before training.

    fit_on: where document frequencies, whitening and the flow come from, called `fitted_on` in their names.
    Without it that is the texts themselves, which is transductive. word_file: word vectors to be averaged as
    well. Texts are encoded once; progress counts them.
    """
    column = Texts(texts).unique()
    fitted = column if fit_on is None else Texts(fit_on).unique()
    label = fitted_on or ("these very texts" if fit_on is None else f"{len(fitted):,} texts")
    both = column if fit_on is None else Texts([*column, *fitted])
    poolings = pooled(raw, texts=both, progress=progress)
    points = next(each for each in poolings if each.pooling == WHITENED)
    tables: list[WordTable] = [InputWords(raw)]
    if word_file is not None:
        tables.append(read_word_vectors(word_file, texts=both))
    return (
        TfIdf(fitted, columns=COLUMNS, fitted_on=label),
        BM25(fitted, columns=COLUMNS, fitted_on=label),
        *(WordAverage(table) for table in tables),
        *(WordAverage(table, fitted, sif=Sif(), fitted_on=label) for table in tables),
        *poolings,
        *_carried(points, fitted, label),
    )


def _carried(points: Encodes, fitted: Texts, label: str) -> Iterator[Encodes]:
    """Whitening and the flow, where there are texts enough for them."""
    for kind in (Whitening, BertFlow):
        try:
            yield kind(points, fitted, fitted_on=label)
        except RequestError as error:
            _log.warning("left out: %s", error)
