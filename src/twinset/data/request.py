"""Which columns a reader wants, and finding them among those a source has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from twinset.data.kinds import GROUP_NAMES, QUERY_DOCUMENT, Kind
from twinset.errors import DataError, RequestError

MOST_SHOWN = 8

Columns = Sequence[str | int] | str | int | None


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The columns of one source that a reader takes, by their names there."""

    texts: tuple[str, ...]
    value: str | None = None
    groups: str | None = None
    filters: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        """All of them, each once."""
        names = (*self.texts, self.value, self.groups, *self.filters)
        return tuple(dict.fromkeys(name for name in names if name is not None))

    @property
    def roles(self) -> tuple[str | None, ...]:
        """The roles these names speak of: (query, document) for a question and its answer, else none."""
        names = [name.strip().lower() for name in self.texts]
        if len(names) != 2 or not QUERY_DOCUMENT.issuperset(names):
            return ()
        return ("query", "document")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a reader was asked for."""

    kind: Kind
    columns: tuple[str | int, ...] | None = None
    groups: str | int | None = None
    where: Mapping[str, str | Collection[str]] = field(default_factory=dict)
    limit: int | None = None
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if self.columns is not None and len(self.columns) != self.kind.width:
            wanted = ", ".join((*self.kind.fields, *self.kind.values[:1]))
            raise RequestError(
                f"columns: {self.kind.name} take {self.kind.width} ({wanted}); {len(self.columns)} given"
            )
        if self.limit is not None and self.limit < 1:
            raise RequestError(f"limit={self.limit} must be 1 or more")

    def without_limit(self) -> Request:
        """Ask for every row: which of them count is not known before they are filtered."""
        return replace(self, limit=None)

    def is_header(self, cells: Sequence[str]) -> bool:
        """Tell whether the first line of a delimited file names the columns."""
        if self.columns is not None:
            return not all(isinstance(column, int) for column in self.columns)
        known = self.kind.known
        return any(_plain(cell) in known for cell in cells)

    def choose(self, present: Sequence[str], source: str) -> Chosen:
        """Find the wanted columns among `present`."""
        if self.columns is not None:
            names = tuple(find(present, column, source) for column in self.columns)
            texts = names[: len(self.kind.fields)]
            value = names[-1] if self.kind.values else None
        else:
            texts = self._texts(present, source)
            value = self._value(present, source, texts) if self.kind.values else None
        groups = self._groups(present, source, (*texts, value))
        filters = tuple(find(present, name, source) for name in self.where)
        return Chosen(texts=texts, value=value, groups=groups, filters=filters)

    def _texts(self, present: Sequence[str], source: str) -> tuple[str, ...]:
        by_plain = {_plain(name): name for name in reversed(present)}
        for family in self.kind.families:
            if all(name in by_plain for name in family):
                return tuple(by_plain[name] for name in family)
        if len(present) == self.kind.width and (self.kind.width == 1 or _numbered(present)):
            return tuple(present[: len(self.kind.fields)])
        wanted = [" + ".join(family) for family in self.kind.families]
        raise DataError(self._unknown(present, source, wanted, "s of texts"))

    def _value(self, present: Sequence[str], source: str, texts: tuple[str, ...]) -> str:
        by_plain = {_plain(name): name for name in reversed(present) if name not in texts}
        for name in self.kind.values:
            if name in by_plain:
                return by_plain[name]
        if _numbered(present) and len(present) == self.kind.width:
            return present[-1]
        raise DataError(self._unknown(present, source, self.kind.values, f" of {self.kind.values[0]}s"))

    def _unknown(self, present: Sequence[str], source: str, wanted: Sequence[str], what: str) -> str:
        example = ", ".join(repr(name) for name in (*self.kind.fields, *self.kind.values[:1]))
        comma = "," if self.kind.width == 1 else ""
        if _numbered(present):
            given = ", ".join(str(i) for i in range(self.kind.width))
            return (
                f"{source}: its {len(present)} columns have no names that say which are the "
                f"{self.kind.name}; give "
                f"their positions, counted from 0, such as columns=({given}{comma}), or, when the first line "
                f"names the columns, those names: columns=({example}{comma})"
            )
        near = _nearest(present, [name for text in wanted for name in text.split(" + ")])
        more = f" and {len(wanted) - MOST_SHOWN} more" if len(wanted) > MOST_SHOWN else ""
        return (
            f"{source}: no column{what} for {self.kind.name} among {_listed(present)}; looked for "
            f"{'; '.join(wanted[:MOST_SHOWN])}{more}.{near} Name them all: columns=({example}{comma})"
        )

    def _groups(self, present: Sequence[str], source: str, taken: Sequence[str | None]) -> str | None:
        if self.groups is not None:
            return find(present, self.groups, source)
        free = {_plain(name): name for name in reversed(present) if name not in taken}
        return next((free[name] for name in GROUP_NAMES if name in free), None)


def as_columns(columns: Columns) -> tuple[str | int, ...] | None:
    """Take one column or several."""
    if columns is None:
        return None
    return (columns,) if isinstance(columns, (str, int)) else tuple(columns)


def find(present: Sequence[str], column: str | int, source: str) -> str:
    """Find one column by name, or by its position counted from 0."""
    if isinstance(column, int):
        if not 0 <= column < len(present):
            raise DataError(
                f"{source}: no column {column}; it has {len(present)}, counted from 0: {_listed(present)}"
            )
        return present[column]
    exact = [name for name in present if name == column] or [
        n for n in present if _plain(n) == _plain(column)
    ]
    if len(exact) == 1:
        return exact[0]
    if exact:
        raise DataError(
            f"{source}: {len(exact)} columns are named {column!r}: {_listed(present)}; give its "
            "position instead"
        )
    raise DataError(
        f"{source}: no column {column!r}; it has {_listed(present)}.{_nearest(present, [column])}"
    )


def _plain(name: str) -> str:
    return name.strip().lower()


def _numbered(present: Sequence[str]) -> bool:
    return list(present) == [str(i) for i in range(len(present))]


def _listed(present: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in present) or "no columns"


def _nearest(present: Sequence[str], wanted: Sequence[str]) -> str:
    others = [name for name in present if _plain(name) not in wanted]
    near = [match for name in wanted for match in get_close_matches(name, others, n=1)]
    return f" Did you mean {near[0]!r}?" if near else ""
