from __future__ import annotations

import pytest

from tests.evaluation.judged_texts import PAIR_TASK, PAIRS, RANKING_TASK, TRANSFER_TASK
from tests.evaluation.known_vectors import TOY, KnownPoolings, pairs
from twinset.errors import RequestError
from twinset.evaluation import PairTask, StsTask, Suite, evaluate

SUITE = Suite(
    name="toys",
    tasks=(StsTask(name="toy", pairs=TOY), StsTask(name="straight", pairs=pairs((5, 10, 80), (3, 1, 2)))),
)


def test_tasks_are_columns_and_protocols_rows() -> None:
    lines = evaluate(KnownPoolings(), SUITE, poolings=("mean", "cls")).table().splitlines()
    assert lines[0] == "toys: known, Spearman x 100 of cosine similarity"
    assert lines[1].split() == ["pooling", "protocol", "toy", "straight", "Avg"]
    assert lines[2].split() == ["mean", "all", "-2.86", "50.00", "23.57"]
    assert lines[3].split() == ["mean", "-10.00", "50.00", "20.00"]
    assert lines[4].split() == ["wmean", "20.00", "50.00", "35.00"]
    assert lines[5].split() == ["cls", "all", "2.86", "-50.00", "-23.57"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_one_task_has_no_average() -> None:
    suite = Suite(name="one", tasks=SUITE.tasks[:1])
    assert "Avg" not in evaluate(KnownPoolings(), suite).table()


def test_subsets_are_rows_with_their_sizes() -> None:
    lines = evaluate(KnownPoolings(), SUITE).subset_table(metric="spearman").splitlines()
    rows = [line.split() for line in lines[1:]]
    assert rows == [
        ["task", "subset", "pairs", "mean"],
        ["toy", "a", "4", "80.00"],
        ["b", "2", "-100.00"],
        ["straight", "straight", "3", "50.00"],
    ]


def test_subsets_are_rows_with_a_column_for_each_pooling() -> None:
    lines = evaluate(KnownPoolings(), SUITE, poolings=("mean", "cls")).subset_table().splitlines()
    assert lines[1].split() == ["task", "subset", "pairs", "mean", "cls"]
    assert lines[2].split() == ["toy", "a", "4", "80.00", "-80.00"]


def test_the_other_correlation_can_be_asked_for() -> None:
    table = evaluate(KnownPoolings(), SUITE).table(metric="pearson")
    assert "Pearson x 100" in table
    assert "50.00" not in table


def test_other_kinds_have_tasks_as_rows_and_metrics_as_columns() -> None:
    suite = Suite(name="pairs", tasks=(PAIR_TASK, PairTask(name="unsplit", pairs=PAIRS)))
    lines = evaluate(KnownPoolings(), suite, poolings=("mean", "cls")).table().splitlines()
    assert lines[0] == "pairs: known, x 100; the headline is f1, average_precision"
    assert lines[1].split() == ["pooling", "task", "pairs", "f1", "accuracy", "average_precision"]
    assert lines[2].split() == ["mean", "paraphrases", "4", "80.00", "75.00", "83.33"]
    assert lines[3].split() == ["unsplit", "4", "-", "-", "83.33"]
    assert lines[4].split() == ["Avg", "-", "-", "83.33"]
    assert lines[5].split()[:3] == ["cls", "paraphrases", "4"]


def test_a_mixed_suite_has_a_table_for_each_kind() -> None:
    suite = Suite(name="mixed", tasks=(*SUITE.tasks, PAIR_TASK, TRANSFER_TASK, RANKING_TASK))
    scores = evaluate(KnownPoolings(), suite)
    lines = scores.table().splitlines()
    assert lines[1].split() == ["pooling", "protocol", "toy", "straight", "Avg"]
    assert lines[2].split()[-1] == "23.57"
    assert sum("paraphrases" in line for line in lines) == 1
    assert any(line.split() == ["mean", "sides", "10", "80.00"] for line in lines)
    assert f"Avg of the 5 headlines: {100 * scores.headline:.2f}" in lines
    assert lines[-1].startswith("note: answers: 1 query")
    assert scores.subset_table().count("paraphrases") == 0


def test_subsets_are_of_scored_pairs_only() -> None:
    scores = evaluate(KnownPoolings(), Suite(name="pairs", tasks=(PAIR_TASK,)))
    with pytest.raises(RequestError, match="pairs: no task of scored pairs"):
        scores.subset_table()


def test_no_value_is_a_dash() -> None:
    suite = Suite(name="flat", tasks=(StsTask(name="flat", pairs=pairs((5, 10), (1, 1))),))
    assert evaluate(KnownPoolings(), suite).table().splitlines()[2].split() == ["mean", "all", "-"]
