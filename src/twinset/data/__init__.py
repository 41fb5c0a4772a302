"""The data room: files in, typed sequences out.

Readers turn a file, a table or a list into one of the typed sequences; every one of these can be taken
from, split and described in the same way (`Dataset`). Texts live in Arrow buffers, not in Python objects.
"""

from __future__ import annotations

from twinset.data.beir import IR_DATASETS, read_beir, read_ir_dataset
from twinset.data.collection import Collection
from twinset.data.dataset import Dataset
from twinset.data.folder import Folder
from twinset.data.groups import Groups
from twinset.data.judged import read_collection
from twinset.data.pairs import LabelledPairs, Pairs, ScoredPairs
from twinset.data.ranked import RankedList, RankedLists
from twinset.data.read import (
    read_labelled_pairs,
    read_labelled_sentences,
    read_pairs,
    read_ranked_lists,
    read_scored_pairs,
    read_sentences,
    read_triples,
)
from twinset.data.sentences import LabelledSentences, Sentences
from twinset.data.sniff import read_any, sniff
from twinset.data.split import split
from twinset.data.texts import Texts, text_ids
from twinset.data.triples import Triples

__all__ = [
    "IR_DATASETS",
    "Collection",
    "Dataset",
    "Folder",
    "Groups",
    "LabelledPairs",
    "LabelledSentences",
    "Pairs",
    "RankedList",
    "RankedLists",
    "ScoredPairs",
    "Sentences",
    "Texts",
    "Triples",
    "read_any",
    "read_beir",
    "read_collection",
    "read_ir_dataset",
    "read_labelled_pairs",
    "read_labelled_sentences",
    "read_pairs",
    "read_ranked_lists",
    "read_scored_pairs",
    "read_sentences",
    "read_triples",
    "sniff",
    "split",
    "text_ids",
]
