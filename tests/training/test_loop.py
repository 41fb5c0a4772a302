from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from tests.encoder.tiny import tiny_encoder
from tests.training.runs import (
    DATA,
    TEXTS,
    BreaksAt,
    Stopped,
    StoppingDisk,
    journal,
    quick,
    quiet,
    run,
    same_weights,
    told,
    watch,
    weights,
)
from twinset.data import Sentences
from twinset.encoder import Encoder
from twinset.errors import RecipeError, RequestError, WorkError
from twinset.negatives import Queue
from twinset.training import Recipe, Run, Schedule, Select, train
from twinset.training.checkpoint import load_checkpoint
from twinset.training.steps import Cached
from twinset.views import AsGiven, Pair, TokenShuffle, Unchanged

UPDATES = 16


# ------------------------------------------------------------------------------------ the encoder and the run


def test_the_encoder_is_left_as_it_was() -> None:
    encoder = tiny_encoder("bert")
    before, modes = weights(encoder), [part.training for part in encoder.backbone.modules()]
    found = run(quick(dropout=0.3, training_pooling="cls"), encoder)
    assert same_weights(before, weights(encoder))
    assert [part.training for part in encoder.backbone.modules()] == modes
    assert encoder.pooling == "mean"
    assert all(part.p == 0.1 for part in encoder.backbone.modules() if isinstance(part, torch.nn.Dropout))
    assert not same_weights(before, weights(found.encoder))


def test_training_lowers_the_loss(tmp_path: Path) -> None:
    run(quick(epochs=6), out=tmp_path / "a")
    losses = [line["loss"] for line in journal(tmp_path / "a")]
    assert len(losses) == 48
    assert sum(losses[-8:]) < 0.9 * sum(losses[:8])


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        run(out=tmp_path / name, seed=seed, dev=watch)
    model = {name: (tmp_path / name / "model/model.safetensors").read_bytes() for name in "abc"}
    assert model["a"] == model["b"]
    assert model["a"] != model["c"]
    assert journal(tmp_path / "a") == journal(tmp_path / "b")
    scores = [(tmp_path / name / "scores.json").read_bytes() for name in "abc"]
    assert scores[0] == scores[1]
    assert scores[0] != scores[2]


def test_the_user_s_random_numbers_go_on_as_if_nothing_had_happened() -> None:
    torch.manual_seed(11)
    before = torch.get_rng_state()
    run(dev=watch)
    assert torch.equal(before, torch.get_rng_state())


def test_the_user_s_random_numbers_do_not_matter() -> None:
    found = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        found.append(weights(run().encoder))
    assert same_weights(*found)


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run(dev=watch)
    assert found.folder is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_changes_nothing_about_the_result(tmp_path: Path) -> None:
    kept, bare = run(out=tmp_path / "a", dev=watch), run(dev=watch)
    assert same_weights(weights(kept.encoder), weights(bare.encoder))
    assert kept.looks == bare.looks


def test_the_finished_folder_holds_the_record_and_the_model(tmp_path: Path) -> None:
    found = run(out=tmp_path / "a", dev=watch)
    names = {path.name for path in found.folder.iterdir()} if found.folder else set()
    assert names == {"environment.json", "log.jsonl", "model", "scores.json"}
    loaded = Encoder.from_pretrained(tmp_path / "a" / "model", device="cpu")
    assert (loaded.encode(TEXTS) == found.encoder.encode(TEXTS)).all()
    assert json.loads((tmp_path / "a" / "environment.json").read_text())["precision"] == "fp32"


def test_the_encoder_of_a_run_can_be_taught_again_as_one_from_its_folder(tmp_path: Path) -> None:
    first = run(quick(dropout=0.5), out=tmp_path / "a")
    again = run(quick(), first.encoder)
    loaded = run(quick(), Encoder.from_pretrained(tmp_path / "a" / "model", device="cpu"))
    assert not first.encoder.backbone.training
    assert same_weights(weights(again.encoder), weights(loaded.encoder))


def test_updates_and_truncated_are_counted() -> None:
    found = run(quick(steps=3, max_length=12))
    assert found.updates == 3
    assert found.truncated == sum(len(ids) > 12 for ids in tiny_encoder("bert").tokenizer(TEXTS)["input_ids"])
    assert 0 < found.truncated < len(TEXTS)
    assert found.seconds > 0


def test_bf16_learns_and_saves_fp32() -> None:
    full, half = run(quick(precision="fp32")), run(quick(precision="bf16"))
    assert all(value.dtype == torch.float32 for value in half.encoder.backbone.parameters())
    assert not same_weights(weights(full.encoder), weights(half.encoder))
    pair = full.encoder.encode(TEXTS[0]), half.encoder.encode(TEXTS[0])
    assert float(full.encoder.similarity(*pair)[0, 0]) > 0.9


def test_queue_and_cached_step_learn_as_the_plain_step_does(tmp_path: Path) -> None:
    for name, settings in (("plain", {}), ("cached", {"step": Cached(), "chunk_tokens": 32})):
        views = Pair(Unchanged(), TokenShuffle())
        recipe = quick(views=views, memory=Queue(), dropout=0.0, steps=8, **settings)
        run(recipe, out=tmp_path / name)
    plain, cached = journal(tmp_path / "plain"), journal(tmp_path / "cached")
    assert [line["loss"] for line in cached] == pytest.approx([line["loss"] for line in plain], rel=1e-3)


# ----------------------------------------------------------------------------------------- poolings and watch


def test_training_and_evaluation_have_their_own_pooling() -> None:
    seen: list[str] = []

    def spy(encoder: Encoder) -> Mapping[str, float]:
        seen.append(encoder.pooling)
        return watch(encoder)

    recipe = quick(training_pooling="cls", evaluation_pooling="max", epochs=1)
    assert run(recipe, dev=spy).encoder.pooling == "max"
    assert set(seen) == {"max"}
    seen.clear()
    run(quick(training_pooling="cls", evaluation_pooling="max", select=Select(pooling="training")), dev=spy)
    assert set(seen) == {"cls"}
    assert run(quick(training_pooling="cls", steps=1)).encoder.pooling == "mean"
    trained = [weights(run(quick(training_pooling=name, steps=2)).encoder) for name in ("cls", "mean")]
    assert not same_weights(*trained)


def test_the_watch_looks_first_at_the_untouched_encoder_then_after_each_epoch(tmp_path: Path) -> None:
    encoder = tiny_encoder("bert")
    found = run(quick(epochs=2.5), encoder, dev=watch, out=tmp_path / "a")
    assert [(look.update, look.epoch) for look in found.looks] == [(0, 0), (8, 1), (16, 2), (20, 2.5)]
    assert found.looks[0].scores == watch(encoder)
    scores = json.loads((tmp_path / "a" / "scores.json").read_text())
    assert [look["update"] for look in scores["watch"]] == [0, 8, 16, 20]
    assert scores["updates"] == 20


def test_the_watch_looks_every_so_many_updates_and_at_the_end() -> None:
    found = run(quick(select=Select(every=7)), dev=watch)
    assert [look.update for look in found.looks] == [0, 7, 14, 16]


def test_the_best_weights_are_kept(tmp_path: Path) -> None:
    encoders: dict[int, dict[str, torch.Tensor]] = {}
    scores = iter([9.0, 1.0, 3.0, 2.0, 3.0])

    def spy(encoder: Encoder) -> Mapping[str, float]:
        encoders[len(encoders) * 4] = weights(encoder)
        return {"score": next(scores)}

    found = run(quick(select=Select(every=4)), dev=spy, out=tmp_path / "a")
    assert found.best is not None
    assert found.best.update == 8  # not the untouched encoder's 9, and the first of the two threes
    assert same_weights(weights(found.encoder), encoders[8])
    assert found.encoder.backbone.model is not None
    assert json.loads((tmp_path / "a" / "scores.json").read_text())["best"]["update"] == 8
    assert (tmp_path / "a" / "model" / "README.md").read_text().count("score") >= 1


def test_the_best_weights_are_kept_without_a_folder() -> None:
    recipe = quick(select=Select(every=4))
    best = run(recipe, dev=told(0, 1, 3, 2, 1))
    plain = run(quick(steps=8, schedule=recipe.schedule), dev=None)
    assert best.best is not None
    assert best.best.update == 8
    assert not same_weights(weights(best.encoder), weights(run(recipe).encoder))
    assert not same_weights(weights(best.encoder), weights(plain.encoder))  # another run length, another rate


def test_keep_last_keeps_the_last() -> None:
    found = run(quick(select=Select(every=4, keep="last")), dev=told(0, 3, 2, 1, 0))
    assert found.best is None
    assert same_weights(weights(found.encoder), weights(run().encoder))


def test_a_named_metric_decides() -> None:
    a, b = iter([0.0, 1, 2, 3, 4]), iter([0.0, 4, 3, 2, 1])
    dev = lambda encoder: {"a": next(a), "b": next(b)}  # noqa: E731
    found = run(quick(select=Select(every=4, metric="b")), dev=dev)
    assert found.best is not None
    assert found.best.update == 4


def test_patience_stops_the_run_after_so_many_looks_without_a_gain(tmp_path: Path) -> None:
    dev = told(0, 2, 1, 3, 3, 1, 9)
    found = run(quick(epochs=4, select=Select(every=4, patience=2)), dev=dev, out=tmp_path / "a")
    assert [look.update for look in found.looks] == [0, 4, 8, 12, 16, 20]
    assert found.updates == 20
    assert found.best is not None
    assert found.best.update == 12
    assert json.loads((tmp_path / "a" / "scores.json").read_text())["updates"] == 20


def test_a_score_that_is_no_number_is_never_the_best() -> None:
    nan = float("nan")
    found = run(quick(select=Select(every=4)), dev=told(nan, nan, 1, nan, 0))
    assert found.best is not None
    assert found.best.update == 8
    with pytest.raises(WorkError, match="No look of the watch gave a number"):
        run(quick(select=Select(every=8)), dev=told(nan, nan, nan))
    assert run(quick(select=Select(every=8, keep="last")), dev=told(nan, nan, nan)).best is None


def test_a_watch_that_gives_nothing_is_told_before_the_first_update() -> None:
    with pytest.raises(RequestError, match="dev: the watch gave no score"):
        run(dev=lambda encoder: {})


def test_an_unknown_metric_is_told_with_those_there_are(tmp_path: Path) -> None:
    recipe = quick(select=Select(metric="spearmann"))
    with pytest.raises(RequestError, match=r"select\.metric: 'spearmann' is none of first, spread"):
        run(recipe, dev=watch, out=tmp_path / "a")
    run(quick(select=Select(metric="spread")), dev=watch, out=tmp_path / "a")  # the folder can be used


def test_a_watch_may_leave_the_encoder_in_any_mode() -> None:
    def careless(encoder: Encoder) -> Mapping[str, float]:
        encoder.backbone.eval()
        torch.manual_seed(99)
        return {"score": 0.0}

    recipe = quick(select=Select(every=2, keep="last"))
    assert same_weights(weights(run(recipe, dev=careless).encoder), weights(run(recipe).encoder))


# -------------------------------------------------------------------------------------------------- journal


def test_the_journal_tells_of_every_update(tmp_path: Path) -> None:
    recipe = quick(schedule=Schedule(warmup=4), learning_rate=1e-3)
    run(recipe, out=tmp_path / "a", dev=watch)
    lines = [json.loads(line) for line in (tmp_path / "a" / "log.jsonl").read_text().splitlines()]
    updates = [line for line in lines if "loss" in line]
    assert [line["update"] for line in updates] == list(range(1, UPDATES + 1))
    assert [line["learning_rate"] for line in updates[:5]] == pytest.approx(
        [0, 0.25e-3, 0.5e-3, 0.75e-3, 1e-3]
    )
    assert updates[2]["epoch"] == 0.375
    assert updates[0]["parts"] == {"infonce": updates[0]["loss"]}
    for line in updates:
        assert line["gradient_norm"] > 0
        assert line["sentences_per_second"] > 0
        assert line["memory_mib"] > 0
    assert [line["update"] for line in lines if "watch" in line] == [0, 8, 16]


def test_the_journal_tells_every_so_many_updates_and_of_the_last(tmp_path: Path) -> None:
    run(out=tmp_path / "a", recording=quiet(log_every=5))
    assert [line["update"] for line in journal(tmp_path / "a")] == [5, 10, 15, 16]


def test_tensorboard_files_are_written(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run(quick(steps=2), out=tmp_path / "a", recording=quiet(tensorboard=True))
    (events,) = (tmp_path / "a" / "tensorboard").iterdir()
    assert events.stat().st_size > 100


# ------------------------------------------------------------------------------------------------ what fails


def test_a_single_text_has_nothing_to_be_told_from() -> None:
    with pytest.raises(RequestError, match="1 row"):
        run(data=Sentences(["alone"]))


def test_a_recipe_that_the_data_cannot_serve_is_told_first(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="InfoNCE needs 2 views"):
        run(quick(views=AsGiven()), out=tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_good_checkpoint(
    value: float, tmp_path: Path
) -> None:
    recipe = quick(objective=BreaksAt(11, value=value))
    with pytest.raises(WorkError, match=r"Update 11: the loss is (nan|inf).*last good checkpoint is kept in"):
        run(recipe, out=tmp_path / "a", recording=quiet(save_every=4))
    saved = load_checkpoint(tmp_path / "a")
    assert saved.facts["state"]["update"] == 8
    assert all(bool(value.isfinite().all()) for value in saved.tensors.values())
    healed = run(quick(objective=BreaksAt(0)), out=tmp_path / "a", resume=True)
    assert same_weights(weights(healed.encoder), weights(run().encoder))


def test_a_loss_that_is_no_number_without_a_folder_promises_nothing() -> None:
    with pytest.raises(WorkError, match=r"Update 3: the loss is nan") as caught:
        run(quick(objective=BreaksAt(3)))
    assert "kept" not in str(caught.value)


def test_a_full_disk_in_the_middle_leaves_a_run_to_resume(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    # Puts: journal, environment, checkpoint 0, checkpoint 4, checkpoint 8
    disk = StoppingDisk("write", 5, full)
    with pytest.raises(WorkError, match=r"checkpoint\.safetensors: .*the disk is full.*before is kept"):
        run(out=tmp_path / "a", recording=quiet(save_every=4, disk=disk))
    assert load_checkpoint(tmp_path / "a").facts["state"]["update"] == 4
    found = run(out=tmp_path / "a", resume=True)
    assert same_weights(weights(found.encoder), weights(run().encoder))


# ------------------------------------------------------------------------------------------------- resuming


def broken_off(folder: Path, kind: str, number: int, recipe: Recipe, **settings: object) -> None:
    """A run that stops as if killed at one file operation."""
    disk = StoppingDisk(kind, number)
    with pytest.raises(Stopped):
        run(recipe, out=folder, dev=watch, recording=quiet(save_every=3, disk=disk), **settings)


def resumed(folder: Path, recipe: Recipe, **settings: object) -> Run:
    return run(recipe, out=folder, dev=watch, resume=True, recording=quiet(save_every=3), **settings)


@pytest.mark.parametrize(
    ("kind", "number"),
    [("append", 1), ("append", 7), ("write", 6), ("rename", 5), ("rename", 6), ("sync", 9), ("remove", 1)],
)
def test_a_resumed_run_ends_as_the_unbroken_one(kind: str, number: int, tmp_path: Path) -> None:
    recipe = quick(memory=Queue(), select=Select(every=5))
    run(recipe, out=tmp_path / "whole", dev=watch, recording=quiet(save_every=3))
    broken_off(tmp_path / "broken", kind, number, recipe)
    if (tmp_path / "broken" / "checkpoint.safetensors").exists():
        resumed(tmp_path / "broken", recipe)
    else:
        with pytest.raises(RequestError, match="Start the run without resume"):
            resumed(tmp_path / "broken", recipe)
        run(recipe, out=tmp_path / "broken", dev=watch, recording=quiet(save_every=3))
    assert journal(tmp_path / "broken") == journal(tmp_path / "whole")
    for name in ("scores.json", "model/model.safetensors", "model/README.md"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert {p.name for p in (tmp_path / "broken").iterdir()} == {
        p.name for p in (tmp_path / "whole").iterdir()
    }


def test_resumed_from_its_very_start_the_watch_looks_no_second_time(tmp_path: Path) -> None:
    broken_off(tmp_path / "a", "append", 2, quick())  # the first update's line
    assert load_checkpoint(tmp_path / "a").facts["state"]["update"] == 0
    found = resumed(tmp_path / "a", quick())
    assert [look.update for look in found.looks] == [0, 8, 16]
    assert [line["update"] for line in journal(tmp_path / "a") if "watch" in line] == [0, 8, 16]


def test_a_finished_run_is_not_resumed(tmp_path: Path) -> None:
    run(out=tmp_path / "a")
    with pytest.raises(RequestError, match="this run is finished"):
        run(out=tmp_path / "a", resume=True)


def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path) -> None:
    run(out=tmp_path / "a")
    with pytest.raises(RequestError, match="a run is already recorded here"):
        run(out=tmp_path / "a")


def test_a_run_goes_on_only_with_what_it_began_with(tmp_path: Path) -> None:
    broken_off(tmp_path / "a", "append", 7, quick())
    for name, settings in {
        "recipe": {"recipe": quick(batch_size=4)},
        "seed": {"seed": 1},
        "data": {"data": DATA.take(range(60))},
        "encoder": {"encoder": tiny_encoder("bert", seed=5)},
    }.items():
        with pytest.raises(
            RequestError, match=f"cannot resume, the {name} is not the one this run began with"
        ):
            run(**{"out": tmp_path / "a", "resume": True, **settings})  # type: ignore[arg-type]


def test_resume_needs_a_folder() -> None:
    with pytest.raises(RequestError, match="out="):
        train(tiny_encoder("bert"), DATA, quick(), resume=True)


def test_batches_may_change_their_number_from_epoch_to_epoch(tmp_path: Path) -> None:
    class Shrinking:
        """One batch less in every later epoch."""

        def __repr__(self) -> str:
            return "Shrinking()"

        def batches(
            self, *, ids: object, size: int, generator: torch.Generator, vectors: object
        ) -> list[torch.Tensor]:
            order = torch.randperm(len(DATA), generator=generator).split(size)
            self.count = getattr(self, "count", len(order) + 1) - 1
            return list(order[: self.count])

    unbroken = run(quick(batching=Shrinking()), out=tmp_path / "whole", dev=watch)
    assert unbroken.updates == 16
    broken_off(tmp_path / "a", "append", 13, quick(batching=Shrinking()))
    assert load_checkpoint(tmp_path / "a").facts["state"]["epoch"] == 1
    assert resumed(tmp_path / "a", quick(batching=Shrinking())).updates == 16
