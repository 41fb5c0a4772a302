"""What contrastive learning must beat, each with the encoder's interface: `encode(texts)` gives (n, d).

systems = to_beat(raw_encoder, texts_of(suite))
print(beside(trained_encoder, systems, suite).table())
"""

from __future__ import annotations

from twinset.baselines.bert_flow import BertFlow
from twinset.baselines.beside import Beside, beside, texts_of
from twinset.baselines.bm25 import BM25
from twinset.baselines.flow_settings import FlowSettings
from twinset.baselines.input_words import InputWords
from twinset.baselines.pooled import Pooled, pooled
from twinset.baselines.sif import Sif
from twinset.baselines.tfidf import TfIdf
from twinset.baselines.to_beat import to_beat
from twinset.baselines.whitening import Whitening
from twinset.baselines.word_average import WordAverage
from twinset.baselines.word_vectors import WordVectors, read_word_vectors

__all__ = [
    "BM25",
    "BertFlow",
    "Beside",
    "FlowSettings",
    "InputWords",
    "Pooled",
    "Sif",
    "TfIdf",
    "Whitening",
    "WordAverage",
    "WordVectors",
    "beside",
    "pooled",
    "read_word_vectors",
    "texts_of",
    "to_beat",
]
