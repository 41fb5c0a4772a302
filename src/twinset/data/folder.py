"""A folder of data sets, read by name: `Folder("data").scored_pairs("sts_en/stsb", split="dev")`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from twinset.data import read
from twinset.data.collection import Collection
from twinset.data.files import SUFFIXES
from twinset.data.judged import read_collection
from twinset.data.pairs import LabelledPairs, Pairs, ScoredPairs
from twinset.data.ranked import RankedLists
from twinset.data.request import Columns
from twinset.data.sentences import LabelledSentences, Sentences
from twinset.data.triples import Triples
from twinset.errors import DataError

DEV_NAMES = ("dev", "validation", "valid", "val")
"""What people call the part of the data that choices are made on: any of them finds all of them."""

MOST_SHOWN = 30


class Folder:
    """Data files under one folder, named by their path in it without the suffix.

    A file's rows may have a `split` column (train, dev, test) and a `subset` column; the subsets become
    the groups of what is read.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            what = "is a file" if self.path.exists() else "no such folder"
            raise DataError(f"{self.path}: {what}; a folder of data files is expected")

    def __repr__(self) -> str:
        return f"Folder({str(self.path)!r})"

    def names(self) -> tuple[str, ...]:
        """List what is there, sorted."""
        return tuple(sorted(self._files()))

    def __contains__(self, name: object) -> bool:
        return name in self._files()

    def find(self, name: str) -> Path:
        """Give the file of a data set."""
        files = self._files()
        if name in files:
            return files[name]
        if name in {path.relative_to(self.path).as_posix() for path in files.values()}:
            return self.path / name
        tails = {known.rpartition("/")[2]: known for known in sorted(files)}
        near = get_close_matches(name, [*files, *tails], n=1)
        hint = f" Did you mean {tails.get(near[0], near[0])!r}?" if near else ""
        shown = ", ".join(sorted(files)[:MOST_SHOWN]) or "no data files"
        more = f" and {len(files) - MOST_SHOWN} more" if len(files) > MOST_SHOWN else ""
        raise DataError(f"{self.path}: no data set {name!r}.{hint} There are: {shown}{more}")

    def sentences(
        self, name: str, *, split: str | None = None, limit: int | None = None, columns: Columns = None
    ) -> Sentences:
        """Read single texts."""
        return read.read_sentences(self.find(name), columns=columns, where=_where(split), limit=limit)

    def labelled_sentences(
        self,
        name: str,
        *,
        split: str | None = None,
        subset: str | None = None,
        labels: Sequence[str] | None = None,
        columns: Columns = None,
    ) -> LabelledSentences:
        """Read single texts with a class each."""
        where = _where(split, subset)
        return read.read_labelled_sentences(self.find(name), columns=columns, labels=labels, where=where)

    def pairs(
        self, name: str, *, split: str | None = None, subset: str | None = None, columns: Columns = None
    ) -> Pairs:
        """Read two texts a row that belong together."""
        return read.read_pairs(self.find(name), columns=columns, where=_where(split, subset))

    def scored_pairs(
        self, name: str, *, split: str | None = None, subset: str | None = None, columns: Columns = None
    ) -> ScoredPairs:
        """Read two texts a row with a score."""
        return read.read_scored_pairs(self.find(name), columns=columns, where=_where(split, subset))

    def labelled_pairs(
        self,
        name: str,
        *,
        split: str | None = None,
        subset: str | None = None,
        labels: Sequence[str] | None = None,
        columns: Columns = None,
        groups: str | None = None,
    ) -> LabelledPairs:
        """Read two texts a row with a class."""
        where = _where(split, subset)
        return read.read_labelled_pairs(
            self.find(name), columns=columns, labels=labels, groups=groups, where=where
        )

    def triples(
        self, name: str, *, split: str | None = None, subset: str | None = None, columns: Columns = None
    ) -> Triples:
        """Read a text, one that belongs to it and one that does not, a row."""
        return read.read_triples(self.find(name), columns=columns, where=_where(split, subset))

    def ranked_lists(
        self, name: str, *, split: str | None = None, subset: str | None = None, columns: Columns = None
    ) -> RankedLists:
        """Read a query, a candidate and its relevance a row; pairs with 0/1 labels will do."""
        return read.read_ranked_lists(self.find(name), columns=columns, where=_where(split, subset))

    def collection(self, name: str) -> Collection:
        """Read a search collection: the files `queries`, `corpus` and `qrels` in the folder `name`."""
        parts = [self.find(f"{name.rstrip('/')}/{part}") for part in ("queries", "corpus", "qrels")]
        return read_collection(*parts)

    def _files(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for path in sorted(self.path.rglob("*")):
            stem = path.name.removesuffix(".gz")
            if path.is_file() and Path(stem).suffix in SUFFIXES and not path.name.startswith("."):
                found[(path.parent / Path(stem).stem).relative_to(self.path).as_posix()] = path
        return found


def _where(split: str | None, subset: str | None = None) -> dict[str, str | Sequence[str]]:
    where: dict[str, str | Sequence[str]] = {}
    if split is not None:
        where["split"] = DEV_NAMES if split.lower() in DEV_NAMES else split
    if subset is not None:
        where["subset"] = subset
    return where
