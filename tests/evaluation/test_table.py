from __future__ import annotations

from tests.evaluation.known_vectors import TOY, KnownPoolings, pairs
from twinset.evaluation import StsTask, Suite, evaluate

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


def test_no_value_is_a_dash() -> None:
    suite = Suite(name="flat", tasks=(StsTask(name="flat", pairs=pairs((5, 10), (1, 1))),))
    assert evaluate(KnownPoolings(), suite).table().splitlines()[2].split() == ["mean", "all", "-"]
