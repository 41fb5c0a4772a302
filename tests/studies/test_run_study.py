from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.studies.tiny_study import study_text
from twinset.errors import RequestError
from twinset.studies import parse_study, run_study, show_study
from twinset.studies.collect import as_json

pytestmark = pytest.mark.usefixtures("forked")


def _run(text: str, out: Path, **settings: object) -> dict[str, object]:
    return as_json(run_study(parse_study(text), out=out, **settings))  # type: ignore[arg-type]


def _bytes(out: Path) -> dict[str, bytes]:
    """What must not depend on when a study was stopped: scores, weights, tables."""
    names = (
        "test.json",
        "scores.json",
        "model.safetensors",
        "report.md",
        "report.tex",
        "runs.csv",
        "variants.csv",
    )
    found = {str(path.relative_to(out)): path.read_bytes() for name in names for path in out.rglob(name)}
    return {name: content.replace(str(out).encode(), b"OUT") for name, content in found.items()}


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that nobody stopped."""
    out = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patched:
        from tests.studies.forked import forking

        patched.setattr("twinset.studies.worker.subprocess", forking)
        run_study(parse_study(study_text(data)), out=out)
    return out


def test_the_folder_is_the_record(whole: Path) -> None:
    cell = whole / "cells" / "hot" / "seed-1"
    assert {path.name for path in cell.iterdir()} >= {
        "run.toml",
        "scores.json",
        "test.json",
        "model",
        "cell.json",
    }
    assert {path.name for path in whole.iterdir()} >= {
        "study.json",
        "results.json",
        "report.md",
        "report.tex",
    }
    record = json.loads((whole / "study.json").read_text())
    assert (record["processes"], record["threads"]) == (1, 1)
    assert record["environment"]["packages"]["torch"]
    assert "learning_rate = 0.03" in record["variants"]["hot"]["run"]
    assert "seed = 1" in (cell / "run.toml").read_text()
    assert not (cell / "checkpoint.safetensors").exists()


def _forked(work: Callable[[], object]) -> int:
    """A process that does this, and may be killed."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        try:
            work()
        finally:
            os._exit(0)
    return pid


KILLED_AT = (
    "cells/plain/seed-0/run.toml",
    "cells/plain/seed-0/best.safetensors",
    "cells/plain/seed-0/test.json",
    "cells/hot/seed-0/model",
    "cells/plain/seed-1/cell.json",
    "cells/hot/seed-1/checkpoint.safetensors",
    "cells/hot/seed-1/cell.json",
)


def test_killed_at_any_moment_it_ends_the_same(data: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed"
    killed = 0
    for place in KILLED_AT:
        pid = _forked(lambda: run_study(parse_study(study_text(data)), out=out))
        until = time.monotonic() + 60
        while not (out / place).exists() and time.monotonic() < until:
            time.sleep(0.001)
            if os.waitpid(pid, os.WNOHANG)[0]:
                pid = 0
                break
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            killed += 1
    result = run_study(parse_study(study_text(data)), out=out)
    assert killed >= 5
    assert result.cells == (4, 4)
    assert _bytes(out) == _bytes(whole)


def test_what_is_done_is_not_done_again(data: Path, tmp_path: Path) -> None:
    text = study_text(data, head="seeds = 1\n")
    first = _run(text, tmp_path / "a")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "a" / "cells").rglob("*.*")}
    assert _run(text, tmp_path / "a") == first
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "a" / "cells").rglob("*.*")} == before
    more = _run(study_text(data, head="seeds = 2\n"), tmp_path / "a")
    assert more["cells"] == [4, 4]
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


def test_changed_cells_are_refused_and_others_kept(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "a"
    _run(study_text(data, head="seeds = 1\n"), out)
    plain, hot = out / "cells/plain/seed-0", out / "cells/hot/seed-0"
    before = plain.joinpath("cell.json").stat().st_mtime_ns, hot.joinpath("test.json").read_bytes()
    changed = study_text(data, head="seeds = 1\n").replace("3e-2", "2e-2")
    with pytest.raises(
        RequestError, match=r"hot, seed 0 with other settings \(its run file changed\); --redo"
    ):
        _run(changed, out)
    assert (plain.joinpath("cell.json").stat().st_mtime_ns, hot.joinpath("test.json").read_bytes()) == before
    _run(changed, out, redo=True)
    assert plain.joinpath("cell.json").stat().st_mtime_ns == before[0]
    assert hot.joinpath("test.json").read_bytes() != before[1]
    assert "learning_rate = 0.02" in hot.joinpath("run.toml").read_text()


def test_another_test_needs_no_other_training(data: Path, tmp_path: Path) -> None:
    out, text = tmp_path / "a", study_text(data, head="seeds = 1\n")
    _run(text, out)
    model = out / "cells/hot/seed-0/model/model.safetensors"
    before = model.stat().st_mtime_ns
    other = text.replace(f', "{data / "more.csv"}"', "")
    with pytest.raises(RequestError, match="what it is tested on changed"):
        _run(other, out)
    assert _run(other, out, redo=True)["tasks"] == ["test"]
    assert model.stat().st_mtime_ns == before


def test_other_data_under_the_same_name(data: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_bytes((data / "texts.txt").read_bytes())
    test = tmp_path / "more.csv"
    test.write_bytes((data / "more.csv").read_bytes())
    text = study_text(data, head="seeds = 1\n")
    text = text.replace(str(data / "texts.txt"), str(mine)).replace(str(data / "more.csv"), str(test))
    _run(text, tmp_path / "a")
    mine.touch()
    assert _run(text, tmp_path / "a")["cells"] == [2, 2]
    test.write_bytes((data / "dev.csv").read_bytes())
    with pytest.raises(RequestError, match="what it is tested on changed"):
        _run(text, tmp_path / "a")
    mine.write_text(mine.read_text() + "one more\n")
    with pytest.raises(RequestError, match="the data it learned from changed"):
        _run(text, tmp_path / "a")
    mine.unlink()
    test.write_bytes((data / "more.csv").read_bytes())
    assert show_study(tmp_path / "a").cells == (2, 2)


def test_a_polite_end_saves_where_it_is(data: Path, tmp_path: Path) -> None:
    text = (
        study_text(data, head="seeds = 1\n")
        .replace("epochs = 2", "epochs = 100000")
        .replace("every = 2", "every = 1000000")
    )
    cell = tmp_path / "a/cells/plain/seed-0"
    pid = _forked(
        lambda: run_study(
            parse_study(text.replace("save_every = 1", "save_every = 1000000")), out=tmp_path / "a"
        )
    )
    until = time.monotonic() + 60
    while "loss" not in (cell / "log.jsonl").read_text() if (cell / "log.jsonl").exists() else True:
        assert time.monotonic() < until
        time.sleep(0.01)
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    assert "Interrupted after update" in (cell / "cell.log").read_text()


def test_how_it_is_recorded_changes_nothing(data: Path, tmp_path: Path) -> None:
    text = study_text(data, head="seeds = 1\n")
    _run(text, tmp_path / "a")
    assert _run(text.replace("save_every = 1", "save_every = 50"), tmp_path / "a")["cells"] == [2, 2]


def test_a_failing_cell_stops_no_other(data: Path, tmp_path: Path) -> None:
    broken = '[[variant]]\nname = "broken"\nset = ["recipe.learning_rate=1e14", "recipe.clip=none"]\n'
    text = study_text(data, broken + '[[variant]]\nname = "plain"\n', 'seeds = 2\nbaseline = "plain"\n')
    result = run_study(parse_study(text), out=tmp_path / "a")
    assert [(each.variant, each.seed) for each in result.failed] == [("broken", 0), ("broken", 1)]
    assert "learning_rate" in result.failed[0].why
    assert [(each.name, len(each.runs)) for each in result.variants] == [("plain", 2)]
    assert result.cells == (4, 2)
    assert "failed: broken, seed 1" in result.table()
    assert [each.seed for each in show_study(tmp_path / "a").failed] == [0, 1]


def test_finalists_get_fresh_seeds(data: Path, tmp_path: Path) -> None:
    variants = "".join(
        f'[[variant]]\nname = "{name}"\nset = ["recipe.learning_rate={rate}"]\n'
        for name, rate in (("base", 1e-5), ("a", 1e-3), ("b", 3e-3))
    )
    head = "seeds = [4, 5]\n"
    text = study_text(data, variants + "[screen]\nseeds = 1\nkeep = 1\n", head)
    result = run_study(parse_study(text), out=tmp_path / "a")
    dev = {each.variant: each.dev[0] for each in result.screened}
    best = max(dev, key=lambda name: dev[name])
    assert [each.variant for each in result.screened] == sorted(dev, key=lambda name: -dev[name])
    kept = {best, "base"}
    assert {each.name for each in result.variants} == kept
    assert all([run.seed for run in each.runs] == [4, 5] for each in result.variants)
    for name in dev:
        cells = {path.name for path in (tmp_path / "a/cells" / name).iterdir()}
        assert cells == ({"seed-1000", "seed-4", "seed-5"} if name in kept else {"seed-1000"})
        assert not (tmp_path / "a/cells" / name / "seed-1000" / "test.json").exists()
    assert show_study(tmp_path / "a") == result


def test_a_study_goes_on_with_its_threads(data: Path, tmp_path: Path) -> None:
    text = study_text(data, head="seeds = 1\n")
    _run(text, tmp_path / "a")
    with pytest.raises(RequestError, match=r"threads: 2, but the study in .* began with 1"):
        _run(text.replace("threads = 1", "threads = 2"), tmp_path / "a")
    _run(
        text.replace("threads = 1", 'threads = "auto"').replace("processes = 1", 'processes = "auto"'),
        tmp_path / "a",
    )
    record = json.loads((tmp_path / "a" / "study.json").read_text())
    assert (record["processes"], record["threads"]) == (1, 1)


def test_models_are_dropped_where_asked(data: Path, tmp_path: Path) -> None:
    text = study_text(data, head='seeds = 1\nmodels = "drop"\n')
    first = _run(text, tmp_path / "a")
    assert not list((tmp_path / "a").rglob("model"))
    assert _run(text, tmp_path / "a") == first


def test_one_study_at_a_time(data: Path, tmp_path: Path) -> None:
    from twinset.studies.lock import alone

    with (
        alone(tmp_path / "a", "a study is going on"),
        pytest.raises(RequestError, match="a study is going on"),
    ):
        _run(study_text(data), tmp_path / "a")


def test_what_is_missing_is_told_before_anything_is_begun(data: Path, tmp_path: Path) -> None:
    for old, new, message in (
        ("texts.txt", "none.txt", "variant plain: .*none.txt"),
        ("more.csv", "none.csv", "none.csv"),
        ("tiny", "huge", "variant plain: .*huge"),
    ):
        with pytest.raises(RequestError, match=message):
            _run(study_text(data).replace(f"{data / old}", f"{data / new}"), tmp_path / "a")
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="is a file; name a folder"):
        _run(study_text(data), tmp_path / "file")


def test_a_report_needs_no_data(whole: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(whole, tmp_path / "copy")
    shown = show_study(tmp_path / "copy")
    assert shown.cells == (4, 4)
    with pytest.raises(RequestError, match=r"has no study\.json"):
        show_study(tmp_path)
