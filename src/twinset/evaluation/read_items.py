"""The items of a `scores.json` back into scores, kind by kind; every metric is worked out anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from twinset.data.groups import Groups
from twinset.evaluation.fields import UnexpectedError, listed, mapping, numbers, same_length, texts, whole
from twinset.evaluation.metrics import Places
from twinset.evaluation.pair_scores import PairScores
from twinset.evaluation.ranking_scores import RankingScores
from twinset.evaluation.sts import StsItems, score
from twinset.evaluation.task import TaskScores
from twinset.evaluation.transfer_scores import TransferScores
from twinset.evaluation.value_scores import ValueScores


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a file says of one task under one pooling. clusters: None in a file from before they were kept."""

    task: str
    pooling: str
    fields: Mapping[str, object]
    clusters: np.ndarray | None
    fingerprint: str

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"items.{self.task}"

    def found(self) -> object:
        """What this pooling predicted."""
        by_pooling = mapping(self.fields.get("predicted"), f"{self.place}.predicted")
        if self.pooling not in by_pooling:
            raise UnexpectedError(f"{self.place}.predicted.{self.pooling} is missing")
        return by_pooling[self.pooling]

    @property
    def found_place(self) -> str:
        """Where the predictions stand, for messages."""
        return f"{self.place}.predicted.{self.pooling}"

    def grouped(self, count: int, first: int) -> np.ndarray:
        """The clusters; in an older file each item is one, numbered from `first`."""
        if self.clusters is None:
            return np.arange(first, first + count)
        same_length(self.place, items=range(count), clusters=self.clusters)
        return self.clusters


def read_task(entry: Entry, first: int) -> TaskScores:
    """Build a task's scores. first: the number of the first cluster where the file has none."""
    kind = str(entry.fields.get("kind", "sts"))
    if kind not in _READERS:
        raise UnexpectedError(f"{entry.place}.kind is {kind!r}, none of {', '.join(_READERS)}")
    return _READERS[kind](entry, first)


def _sts(entry: Entry, first: int) -> TaskScores:
    place, fields = entry.place, entry.fields
    gold = numbers(fields.get("gold"), f"{place}.gold")
    ids = whole(fields.get("subset"), f"{place}.subset")
    predicted = numbers(entry.found(), entry.found_place)
    names = tuple(str(name) for name in listed(fields.get("subsets"), f"{place}.subsets"))
    same_length(
        place, gold_scores=gold, subset_numbers=ids, **{f"predictions_under_{entry.pooling}": predicted}
    )
    return score(
        entry.task,
        StsItems(groups=Groups(ids, names), gold=gold, predicted=predicted),
        pooling=entry.pooling,
        one_set=bool(fields.get("one_set")),
        clusters=entry.grouped(len(gold), first),
        mark=entry.fingerprint,
    )


def _pairs(entry: Entry, first: int) -> TaskScores:
    found = mapping(entry.found(), entry.found_place)
    labels = whole(entry.fields.get("labels"), f"{entry.place}.labels")
    cosines = numbers(found.get("cosines"), f"{entry.found_place}.cosines")
    same_length(entry.place, labels=labels, cosines=cosines)
    if set(labels.tolist()) != {0, 1}:
        raise UnexpectedError(f"{entry.place}.labels are not 0 and 1")
    given = found.get("thresholds") or {}
    thresholds = {} if given == {} else mapping(given, f"{entry.found_place}.thresholds")
    unknown = set(thresholds) - {"f1", "accuracy"}
    if unknown:
        raise UnexpectedError(f"{entry.found_place}.thresholds names {', '.join(sorted(unknown))}")
    values = numbers(list(thresholds.values()), f"{entry.found_place}.thresholds") if thresholds else []
    return PairScores(
        task=entry.task,
        pooling=entry.pooling,
        labels=labels.astype(bool),
        predicted=cosines,
        thresholds={name: float(value) for name, value in zip(thresholds, values, strict=True)},
        selected_on_scored=bool(entry.fields.get("selected_on_scored")),
        clusters=entry.grouped(len(labels), first),
        fingerprint=entry.fingerprint,
    )


def _ranking(entry: Entry, first: int) -> TaskScores:
    found, place = mapping(entry.found(), entry.found_place), entry.found_place
    ranks, gains = listed(found.get("ranks"), f"{place}.ranks"), listed(found.get("gains"), f"{place}.gains")
    same_length(place, ranks=ranks, gains=gains)
    queries: list[Places] = []
    for number, (some, worth) in enumerate(zip(ranks, gains, strict=True)):
        at, gain = numbers(some, f"{place}.ranks", null=np.inf), numbers(worth, f"{place}.gains")
        same_length(f"{place}, query {number + 1},", ranks=at, gains=gain)
        known = at[np.isfinite(at)]
        if not (np.diff(np.r_[0, known]) > 0).all() or (at[: len(known)] != known).any() or (gain <= 0).any():
            raise UnexpectedError(f"{place}, query {number + 1}: ranks must ascend and gains be above 0")
        queries.append(Places(ranks=at, gains=gain))
    return RankingScores(
        task=entry.task,
        pooling=entry.pooling,
        places=tuple(queries),
        metric=str(entry.fields.get("metric")),
        clusters=entry.grouped(len(queries), first),
        fingerprint=entry.fingerprint,
        notes=texts(entry.fields.get("notes"), f"{entry.place}.notes"),
    )


def _transfer(entry: Entry, first: int) -> TaskScores:
    found = mapping(entry.found(), entry.found_place)
    labels = whole(entry.fields.get("labels"), f"{entry.place}.labels")
    predicted = whole(found.get("labels"), f"{entry.found_place}.labels")
    same_length(entry.place, labels=labels, predictions=predicted)
    strengths = numbers(found.get("strengths"), f"{entry.found_place}.strengths")
    return TransferScores(
        task=entry.task,
        pooling=entry.pooling,
        labels=labels,
        predicted=predicted,
        label_names=texts(entry.fields.get("label_names"), f"{entry.place}.label_names"),
        strengths=tuple(strengths.tolist()),
        clusters=entry.grouped(len(labels), first),
        fingerprint=entry.fingerprint,
    )


def _values(entry: Entry, first: int) -> TaskScores:
    found = numbers(entry.found(), entry.found_place)
    return ValueScores(
        task=entry.task,
        pooling=entry.pooling,
        metric=str(entry.fields.get("metric")),
        numbers=found,
        clusters=entry.grouped(len(found), first),
        fingerprint=entry.fingerprint,
    )


_READERS: Mapping[str, Callable[[Entry, int], TaskScores]] = {
    "sts": _sts,
    "pairs": _pairs,
    "ranking": _ranking,
    "transfer": _transfer,
    "values": _values,
}
