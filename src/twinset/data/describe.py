"""A data set in a few lines of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from twinset.data.texts import text_ids

if TYPE_CHECKING:
    from twinset.data.dataset import Dataset
    from twinset.data.groups import Groups

MOST_SHOWN = 12


def describe(data: Dataset) -> str:
    """Say what `data` is: rows, distinct texts, lengths, labels or scores, subsets, the reader's notes."""
    unit = getattr(data, "unit", "rows")
    if not len(data):
        return "\n".join([f"{type(data).__name__}: 0 {unit}", *(f"  note: {note}" for note in data.notes)])
    distinct = len(np.unique(np.concatenate(text_ids(*data.columns))))
    lengths = np.concatenate([column.lengths() for column in data.columns])
    middle, most = int(np.median(lengths)), int(lengths.max())
    lines = [
        f"{type(data).__name__}: {len(data):,} {unit}",
        f"  texts: {distinct:,} distinct; characters: median {middle:,}, most {most:,}",
    ]
    if any(data.roles):
        lines.append(f"  roles: {', '.join(role or '-' for role in data.roles)}")
    if data.scores is not None:
        low, mean, high = data.scores.min(), data.scores.mean(), data.scores.max()
        lines.append(f"  scores: {low:g} to {high:g}, mean {mean:.3g}")
    if data.labels is not None:
        lines.append(f"  labels: {_counts(data.labels, getattr(data, 'label_names', ()))}")
    if data.groups is not None:
        lines.append(f"  groups: {_groups(data.groups)}")
    lines.extend(f"  note: {note}" for note in data.notes)
    return "\n".join(lines)


def _counts(ids: np.ndarray, names: tuple[str, ...]) -> str:
    counts = np.bincount(ids, minlength=len(names))
    shown = zip(names[:MOST_SHOWN], counts, strict=False)
    more = f" and {len(names) - MOST_SHOWN:,} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(f"{name} {int(count):,}" for name, count in shown) + more


def _groups(groups: Groups) -> str:
    counts = np.bincount(groups.ids, minlength=len(groups.names))
    largest = np.argsort(-counts, kind="stable")[:MOST_SHOWN]
    shown = ", ".join(f"{groups.names[int(i)]} {int(counts[i]):,}" for i in largest)
    more = len(groups.names) - len(largest)
    return shown + (f" and {more:,} more" if more else "")
