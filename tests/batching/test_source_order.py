from __future__ import annotations

from tests.batching.test_contract import batches
from twinset.batching import SourceOrder


def test_neighbours_in_the_file_meet_in_every_epoch() -> None:
    for seed in (0, 1):
        found = [batch.tolist() for batch in batches(SourceOrder(), 7, 3, seed=seed)]
        assert found == [[0, 1, 2], [3, 4, 5, 6]]
