"""Reading a search collection: queries, documents and judgements that name them by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from twinset.data.arrow import compute as pc
from twinset.data.collection import Collection
from twinset.data.kinds import Kind
from twinset.data.raw import Raw
from twinset.data.request import Request
from twinset.data.source import Source, load
from twinset.data.texts import Texts
from twinset.data.values import numbers_of, text_column, texts_of
from twinset.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

QUERY_IDS = ("qid", "query-id", "query_id", "queryid", "_id", "id")
DOCUMENT_IDS = ("docid", "corpus-id", "corpus_id", "doc_id", "pid", "did", "_id", "id")
TEXTS = ("text", "query", "document", "passage", "contents")


def read_collection(
    queries: Source, documents: Source, judgements: Source, *, encoding: str = "utf-8"
) -> Collection:
    """Read BEIR's three files: queries (qid, text), corpus (docid, text), qrels (qid, docid, relevance).

    Other names for the ids: query-id, query_id; corpus-id, corpus_id, doc_id; _id, id. A judgement of an id
    that is not there is an error.
    """
    query_raw = load(queries, _request("queries", ("id", "text"), _pairs(QUERY_IDS, TEXTS), (), encoding))
    document_raw = load(
        documents, _request("documents", ("id", "text"), _pairs(DOCUMENT_IDS, TEXTS), (), encoding)
    )
    return collection_of(query_raw, document_raw, load_judgements(judgements, encoding))


def load_judgements(source: Source, encoding: str = "utf-8") -> Raw:
    """Load query ids, document ids and relevances."""
    ids = _pairs(QUERY_IDS[:4], DOCUMENT_IDS[:6])
    values = ("relevance", "score", "rel", "label")
    return load(source, _request("judgements", ("query id", "document id"), ids, values, encoding))


def collection_of(query_raw: Raw, document_raw: Raw, judged: Raw) -> Collection:
    """Put together ids and texts of queries and documents, and judgements that name them."""
    return Collection(
        queries=texts_of(query_raw)[1],
        documents=texts_of(document_raw)[1],
        query_of=_positions(judged, judged.chosen.texts[0], query_raw),
        document_of=_positions(judged, judged.chosen.texts[1], document_raw),
        relevance=numbers_of(judged, str(judged.chosen.value)),
        query_ids=Texts(text_column(query_raw, query_raw.chosen.texts[0])),
        document_ids=Texts(text_column(document_raw, document_raw.chosen.texts[0])),
        notes=(*query_raw.notes, *document_raw.notes, *judged.notes),
    )


def _pairs(ones: Sequence[str], others: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((one, other) for one in ones for other in others)


def _request(
    name: str,
    fields: tuple[str, ...],
    families: tuple[tuple[str, ...], ...],
    values: tuple[str, ...],
    encoding: str,
) -> Request:
    return Request(kind=Kind(name=name, fields=fields, families=families, values=values), encoding=encoding)


def _positions(judged: Raw, field: str, named: Raw) -> np.ndarray:
    """Find the row of `named` that each judgement's id stands for: (n,) int64."""
    ids = text_column(named, named.chosen.texts[0])
    keys = ids.combine_chunks()
    if len(keys.unique()) != len(keys):
        row = _repeated(keys)
        raise DataError(
            f"{named.at(row)}: the id {keys[row].as_py()!r} stands there a second time; ids must differ"
        )
    wanted = text_column(judged, field).combine_chunks()
    found = pc.index_in(wanted, value_set=keys)
    if found.null_count:
        row = int(pc.index(found.is_null(), True).as_py())
        raise DataError(
            f"{judged.at(row)}: {field!r} is {wanted[row].as_py()!r}, which {named.name} does not have"
        )
    return np.asarray(found).astype(np.int64)


def _repeated(keys: pa.Array) -> int:
    """Give the first row whose id stood there before."""
    ids = np.asarray(keys.dictionary_encode().indices)
    _, firsts = np.unique(ids, return_index=True)
    return int(np.setdiff1d(np.arange(len(ids)), firsts)[0])
