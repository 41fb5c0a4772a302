"""Readers: a file, a table or a list in, a typed sequence out.

Every reader takes the same arguments:

- `source`: a path to .txt, .csv, .tsv, .jsonl, .ndjson or .parquet (each also with .gz); a pandas
  DataFrame, a Hugging Face Dataset, an Arrow table; any iterable of texts, tuples or dicts.
- `columns`: names, or positions counted from 0 (a delimited file has no header line then), in the order
  of the kind's fields. Without it, columns are found by the names in `twinset.data.kinds`.
- `roles`: "query", "document" or None a column. Without it, roles follow from names such as query and
  document, question and answer.
- `groups`: the column with each row's subset; without it, one named `subset` or `group` when there.
- `where`: rows to keep, by value regardless of case: `{"split": "train"}` or `{"split": ("dev", "test")}`.
- `limit`: no more rows than this are read, from the start.
- `encoding`: of text files.

Rows with an empty text are left out and counted in `.notes`; anything else that will not do is a
`DataError` that names the file, the line (or row), the field and what to do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from twinset.data import kinds
from twinset.data.pairs import LabelledPairs, Pairs, ScoredPairs
from twinset.data.ranked import RankedLists
from twinset.data.request import Columns, Request, as_columns
from twinset.data.sentences import LabelledSentences, Sentences
from twinset.data.source import Source, load
from twinset.data.triples import Triples
from twinset.data.values import groups_of, labels_of, numbers_of, texts_of

Where = Mapping[str, str | Collection[str]] | None
Roles = Sequence[str | None] | str | None


def read_sentences(
    source: Source,
    *,
    columns: Columns = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> Sentences:
    """Read single texts."""
    raw = load(source, _request(kinds.SENTENCES, columns, groups, where, limit, encoding))
    (texts,) = texts_of(raw)
    return Sentences(texts, roles=_roles(roles), groups=groups_of(raw), notes=raw.notes)


def read_labelled_sentences(
    source: Source,
    *,
    columns: Columns = None,
    labels: Sequence[str] | None = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> LabelledSentences:
    """Read single texts with a class each; `labels` names the classes in order, else those that occur."""
    raw = load(source, _request(kinds.LABELLED_SENTENCES, columns, groups, where, limit, encoding))
    (texts,) = texts_of(raw)
    ids, names = labels_of(raw, str(raw.chosen.value), labels)
    return LabelledSentences(texts, ids, names, roles=_roles(roles), groups=groups_of(raw), notes=raw.notes)


def read_pairs(
    source: Source,
    *,
    columns: Columns = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> Pairs:
    """Read two texts a row that belong together."""
    raw = load(source, _request(kinds.PAIRS, columns, groups, where, limit, encoding))
    first, second = texts_of(raw)
    return Pairs(
        first, second, roles=_roles(roles) or raw.chosen.roles, groups=groups_of(raw), notes=raw.notes
    )


def read_scored_pairs(
    source: Source,
    *,
    columns: Columns = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> ScoredPairs:
    """Read two texts a row and a number that says how alike they are; `columns` names all three."""
    raw = load(source, _request(kinds.SCORED_PAIRS, columns, groups, where, limit, encoding))
    first, second = texts_of(raw)
    scores = numbers_of(raw, str(raw.chosen.value))
    return ScoredPairs(
        first, second, scores, roles=_roles(roles) or raw.chosen.roles, groups=groups_of(raw), notes=raw.notes
    )


def read_labelled_pairs(
    source: Source,
    *,
    columns: Columns = None,
    labels: Sequence[str] | None = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> LabelledPairs:
    """Read two texts a row and a class; `labels` names the classes in order, else those that occur."""
    raw = load(source, _request(kinds.LABELLED_PAIRS, columns, groups, where, limit, encoding))
    first, second = texts_of(raw)
    ids, names = labels_of(raw, str(raw.chosen.value), labels)
    return LabelledPairs(
        first,
        second,
        ids,
        names,
        roles=_roles(roles) or raw.chosen.roles,
        groups=groups_of(raw),
        notes=raw.notes,
    )


def read_triples(
    source: Source,
    *,
    columns: Columns = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> Triples:
    """Read a text, one that belongs to it and one that does not (premise, entailment, contradiction)."""
    raw = load(source, _request(kinds.TRIPLES, columns, groups, where, limit, encoding))
    anchor, positive, negative = texts_of(raw)
    return Triples(anchor, positive, negative, roles=_roles(roles), groups=groups_of(raw), notes=raw.notes)


def read_ranked_lists(
    source: Source,
    *,
    columns: Columns = None,
    roles: Roles = None,
    groups: str | int | None = None,
    where: Where = None,
    limit: int | None = None,
    encoding: str = "utf-8",
) -> RankedLists:
    """Read a query, a candidate and its relevance a row; equal queries become one."""
    raw = load(source, _request(kinds.RANKED_LISTS, columns, groups, where, limit, encoding))
    column, candidates = texts_of(raw)
    relevance = numbers_of(raw, str(raw.chosen.value))
    queries, query_of = column.unique(), column.ids()
    return RankedLists(
        queries, candidates, query_of, relevance, roles=_roles(roles), groups=groups_of(raw), notes=raw.notes
    )


def _request(
    kind: kinds.Kind,
    columns: Columns,
    groups: str | int | None,
    where: Where,
    limit: int | None,
    encoding: str,
) -> Request:
    return Request(
        kind=kind,
        columns=as_columns(columns),
        groups=groups,
        where=where or {},
        limit=limit,
        encoding=encoding,
    )


def _roles(roles: Roles) -> tuple[str | None, ...]:
    if roles is None:
        return ()
    return (roles,) if isinstance(roles, str) else tuple(roles)
