"""What measurements share: turns, memory, texts, ratios, kinds of work, tables."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from torch.profiler import ProfilerActivity, profile, record_function

import twinset as ts
from benchmarks import (
    dev_parity,
    encoding_scale,
    encoding_speed,
    record,
    results_page,
    training_memory,
    training_speed,
)
from benchmarks.__main__ import main
from benchmarks.rig import environments, kinds, memory, options, plain_loop, speeds, tables, texts, turns
from benchmarks.rig.turns import FailedError, System, Worker, alternate, alternate_alone, working
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder.cheap_dropout import CheapDropout
from twinset.training import Recording
from twinset.training.learner import Learner

ROOT = Path(__file__).resolve().parent.parent


def _system(name: str, **settings: object) -> System:
    optional = bool(settings.pop("optional", False))
    return System(
        name=name,
        python=Path(sys.executable),
        module="tests.benchmarks_echo",
        settings={**settings, "name": name},
        optional=optional,
    )


# ------------------------------------------------------------------------------------------ turns


def test_systems_take_turns_and_each_round_begins_with_another(tmp_path: Path) -> None:
    log = tmp_path / "log"
    systems = [_system(name, log=str(log)) for name in "ABC"]
    with working(systems, {}) as workers:
        answers = alternate(workers, 4, rest=0)
    assert log.read_text(encoding="utf-8") == "ABCBCACABABC"
    assert [answer["order"]["round"] for answer in answers["B"]] == [0, 1, 2, 3]


def test_what_needs_much_memory_takes_its_turns_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    answers = alternate_alone([_system(name, log=str(log)) for name in "AB"], 3)
    assert log.read_text(encoding="utf-8") == "ABBAAB"
    assert [answer["order"]["round"] for answer in answers["B"]] == [0, 1, 2]
    assert len({answer["process"] for name in "AB" for answer in answers[name]}) == 6


def test_a_worker_says_what_memory_it_held() -> None:
    with working([_system("A")], {}) as workers:
        found = workers["A"].go()
    assert 1 < found["memory_before"] <= found["memory_peak"]


def test_a_system_that_cannot_be_prepared_ends_the_benchmark() -> None:
    with (
        pytest.raises(FailedError, match="A: ValueError: no such model"),
        working([_system("A", refuse="no such model")], {}),
    ):
        pytest.fail("it was not ready")


def test_an_optional_one_is_left_out_with_its_reason() -> None:
    left_out: dict[str, str] = {}
    systems = [_system("A"), _system("B", refuse="no backend", optional=True)]
    with working(systems, left_out) as workers:
        assert list(workers) == ["A"]
    assert left_out == {"B": "ValueError: no backend"}


def test_an_environment_that_is_missing_is_a_reason_too() -> None:
    left_out: dict[str, str] = {}
    nowhere = replace(_system("A", optional=True), python=ROOT / ".venv-peers/none/bin/python")
    with working([nowhere], left_out) as workers:
        assert workers == {}
    assert left_out["A"] == ".venv-peers/none/bin/python: No such file or directory"


def test_last_words_of_a_worker_that_died_are_told() -> None:
    worker = Worker(_system("A", die=True))
    worker.ready()
    with pytest.raises(FailedError, match="my last words"):
        worker.go()
    worker.close()


def test_records_hold_no_path_of_this_machine() -> None:
    assert turns.without_place(f"{ROOT}/src/x.py: no") == "src/x.py: no"


# ----------------------------------------------------------------------------------------- memory


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system keeps no peak to forget")
def test_a_peak_is_seen_and_forgotten() -> None:
    memory.forget_peak()
    before = memory.peak()
    block = np.ones(64 * 2**20, dtype=np.uint8)
    del block
    assert memory.peak() > before + 50
    memory.forget_peak()
    assert memory.peak() < before + 40


# ------------------------------------------------------------------------------------------ texts


def test_sentences_are_joined_up_to_a_length() -> None:
    encoder = tiny_encoder("bert")
    found = texts.joined(SENTENCES * 3, 24, 8, encoder)
    assert len(found) == 8
    assert " ".join(SENTENCES * 3).startswith(" ".join(found))
    lengths = encoder.tokenize([*found, *SENTENCES]).lengths
    assert max(lengths[:8]) <= 24
    following = " ".join(SENTENCES * 3).removeprefix(found[0] + " ")
    sentence = next(each for each in SENTENCES if following.startswith(each))
    assert encoder.tokenize([f"{found[0]} {sentence}"]).lengths[0] > 24, "there was room for one more"


def test_too_few_sentences_are_told() -> None:
    with pytest.raises(SystemExit, match="make only"):
        texts.joined(SENTENCES, 24, 50, tiny_encoder("bert"))


def test_no_two_lines_are_equal(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    encoding_scale.write_lines(["a  b", "c\nd", "e"], 8, file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines == ["a b", "c d", "e", "1 a b", "1 c d", "1 e", "2 a b", "2 c d"]


# ----------------------------------------------------------------------------------------- ratios


def test_ratios_are_taken_within_a_round() -> None:
    """The machine was half as fast in the second round, for both: the ratio does not see it."""
    found = speeds.compared({"ours": [1.0, 2.0, 1.0], "theirs": [3.0, 6.0, 2.0]}, 12, "theirs")
    assert found["ours"]["ratio"] == {"median": 3.0, "least": 2.0, "most": 3.0}
    assert found["ours"]["sentences_per_second"] == {"median": 12.0, "least": 6.0, "most": 12.0}
    assert found["theirs"]["ratio"] == {"median": 1.0, "least": 1.0, "most": 1.0}


def test_memory_of_a_row_is_the_highest_of_its_rounds() -> None:
    told = [{"seconds": 1.0, "memory_peak": 10.0}, {"seconds": 1.0, "memory_peak": 12.0}]
    assert speeds.rows({"a": told}, 1, "a")[0]["memory_peak"] == 12.0


def test_distance_by_hand() -> None:
    expected = np.array([[1.0, 0.0], [0.0, 2.0]])
    found = np.array([[1.0, 0.0], [2.0, 2.0]])
    assert encoding_speed.distance(found, expected) == {"off": 2.0, "cosine": pytest.approx(0.5**0.5)}


def test_an_epoch_that_was_cut_short_is_no_measurement() -> None:
    training_speed.check_updates({"a": [{"updates": 3}, {"updates": 3}]}, 3)
    with pytest.raises(SystemExit, match="a: made"):
        training_speed.check_updates({"a": [{"updates": 3}, {"updates": 2}]}, 3)


def test_cached_512_is_held_against_plain_64() -> None:
    def row(step: str, batch: int, used: float, system: str = "twinset") -> dict[str, Any]:
        return {"system": system, "step": step, "batch": batch, "memory": used}

    rows = [row("plain", 64, 100.0), row("cached", 512, 115.0), row("cached", 512, 50.0, system="another")]
    assert training_memory.within_target(rows) == 1.15
    assert training_memory.within_target(rows[:1]) is None


def test_growth_counts_from_full_windows_on() -> None:
    sizes = {1_000: 10.0, 100_000: 100.0, 1_000_000: 105.0}
    rows = [{"sentences": size, "memory": used} for size, used in sizes.items()]
    assert encoding_scale.growth(rows) == 1.05
    assert encoding_scale.growth(rows[:2]) is None


def test_parity_is_two_standard_errors() -> None:
    """Means 71 and 73; variances 1 and 1; the error is sqrt(1/3 + 1/3) = 0.816."""

    def runs(loop: str, *scores: float) -> list[dict[str, Any]]:
        return [{"loop": loop, "dev": score} for score in scores]

    far = runs(dev_parity.ENGINE, 70, 71, 72) + runs(dev_parity.PLAIN, 72, 73, 74)
    assert dev_parity.compared(far, "dev") == {"difference": -2, "standard_error": 0.816, "within": False}
    near = runs(dev_parity.ENGINE, 70, 71, 72) + runs(dev_parity.PLAIN, 71, 72, 73)
    assert dev_parity.compared(near, "dev") == {"difference": -1, "standard_error": 0.816, "within": True}
    assert dev_parity.compared(near[:4], "dev") is None


# ------------------------------------------------------------------------------------------ kinds


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("aten::addmm < aten::linear", "matrix products"),
        ("aten::mm < AddmmBackward0", "matrix products"),
        ("aten::copy_ < aten::addmm < aten::linear", "matrix products"),
        ("aten::copy_ < aten::_to_copy < aten::to < aten::linear", "casts and copies"),
        ("aten::bernoulli_ < aten::dropout < aten::scaled_dot_product_attention", "dropout"),
        ("aten::random_ < scope: dropout < scope: attention", "dropout"),
        ("aten::bmm < aten::matmul < scope: attention", "attention"),
        ("aten::_softmax < aten::scaled_dot_product_attention", "attention"),
        ("aten::native_layer_norm < aten::layer_norm", "layer norm"),
        ("aten::gelu_backward < GeluBackward0", "GELU"),
        ("aten::index_select < aten::embedding", "embedding"),
        ("aten::index_select < _Move < scope: batch", "batches and packing"),
        ("aten::_fused_adamw_ < Optimizer.step#AdamW.step", "optimizer"),
        ("aten::linalg_vector_norm < scope: clipping", "optimizer"),
        ("aten::add", "rest"),
        (kinds.STEP, "Python between operations"),
    ],
)
def test_kind_of_an_operation(names: str, kind: str) -> None:
    outermost = [] if names == kinds.STEP else [kinds.STEP]
    assert kinds.kind_of([*names.split(" < "), *outermost]) == kind


def test_a_backward_operation_is_of_its_forward_ones_kind() -> None:
    """Dropout's backward is a plain product: only its sequence number says whose."""
    values = torch.ones(512, 512, requires_grad=True)
    with profile(activities=[ProfilerActivity.CPU]) as profiled, record_function(kinds.STEP):
        (F.dropout(values, 0.5) + 1).sum().backward()
    found = kinds.shares(profiled.events())
    assert sum(found.values()) == pytest.approx(1, abs=0.001)
    events = [event for event in profiled.events() if event.name == "MulBackward0"]
    forward = {
        event.sequence_nr: event
        for event in sorted(profiled.events(), key=kinds._start)
        if kinds._is_forward(event)
    }
    assert events
    assert {kinds.kind_of(kinds._standing(event, forward)) for event in events} == {"dropout"}
    assert found["dropout"] > found.get("rest", 0.0)


def test_scopes_name_the_engine_and_leave_it_as_it_was() -> None:
    from transformers import AttentionInterface

    from twinset.encoder import attention, backbone

    before = backbone.pack
    with kinds.scopes():
        assert backbone.pack is not before
        assert AttentionInterface()[attention.NAME] is not attention.attend
    assert backbone.pack is before
    assert AttentionInterface()[attention.NAME] is attention.attend


# ------------------------------------------------------------------------------------- plain loop


def _recipe() -> ts.Recipe:
    return replace(ts.recipes.simcse(), batch_size=4, epochs=1, max_length=32, precision="fp32")


def test_the_engine_can_be_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bool, int, int | None]] = []
    learn = Learner.learn

    def watched(self: Learner, rows: torch.Tensor, factor: float) -> object:
        cheap = sum(isinstance(module, CheapDropout) for module in self.backbone.modules())
        seen.append((self.backbone.packs, cheap, self.recipe.chunk_tokens))
        return learn(self, rows, factor)

    monkeypatch.setattr(Learner, "learn", watched)
    encoder = tiny_encoder("bert")
    plain, recipe = plain_loop.padded(encoder, _recipe())
    quiet = Recording(progress=False)
    with plain_loop.without_engine():
        ts.train(plain, list(SENTENCES[:4]), recipe, recording=quiet)
    ts.train(encoder, list(SENTENCES[:4]), _recipe(), recording=quiet)
    (packs, cheap, chunk), (engine_packs, engine_cheap, engine_chunk) = seen
    assert (packs, cheap, chunk) == (False, 0, None)
    assert engine_packs
    assert engine_cheap > 0
    assert engine_chunk is not None


# ---------------------------------------------------------------------------------------- options


@pytest.mark.parametrize("name", ["training_speed", "training_memory", "encoding_speed", "step_profile"])
def test_a_quick_run_is_never_kept(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--data", str(tmp_path), "--quick", "--keep"])
    assert ended.value.code == 2
    assert "not kept" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--data", "no-such-folder"], "no such folder"),
        (["--data", ".", "--repeats", "0"], "at least one round"),
        ([], "--data"),
    ],
)
def test_wrong_options_are_told(given: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["step_profile", *given])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_repeats_are_the_benchmarks_own_unless_given() -> None:
    def repeats(*given: str) -> int:
        arguments = ["--data", str(ROOT), *given]
        return options.parsed(options.parser("", repeats=5), arguments, repeats=5).repeats

    assert [repeats(), repeats("--quick"), repeats("--quick", "--repeats", "2")] == [5, 1, 2]


def test_a_records_command_can_be_typed_again(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    given = Namespace(json=file, keep=False, data=tmp_path, cases=["mini, sentences"], screen=True)
    record.keep("training_speed_screen", {}, given)
    command = json.loads(file.read_text(encoding="utf-8"))["command"]
    assert command == "python -m benchmarks training_speed --data DIR --cases 'mini, sentences' --screen"


def test_finished_parity_runs_are_not_run_again(tmp_path: Path) -> None:
    finished = {"loop": dev_parity.PLAIN, "seed": 7, "dev": 70.0}
    (tmp_path / "plain-loop-seed7.json").write_text(json.dumps(finished), encoding="utf-8")
    given = Namespace(out=tmp_path, quick=False, data=tmp_path)
    assert dev_parity.score(dev_parity.PLAIN, 7, given) == finished


# ------------------------------------------------------------------------------------------ peers


@pytest.mark.parametrize("peer", ["torch", "openvino", "onnx"])
def test_a_peers_pins_are_whole(peer: environments.Peer) -> None:
    lines = (ROOT / "benchmarks/peers" / f"{peer}.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    ours = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    assert pins["torch"] == ours["torch"], "another torch is another build"
    assert not any("+" in version for version in pins.values())
    assert environments.versions(peer)["sentence-transformers"] == pins["sentence-transformers"]
    assert "torchvision" not in pins


def test_the_peer_that_trains_has_our_versions() -> None:
    ours = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    theirs = [f"{name}=={version}" for name, version in environments.versions("torch").items()]
    assert len(theirs) == 4
    assert [pin for pin in theirs if pin not in ours] == []


# ----------------------------------------------------------------------------------------- tables

SPREAD = {"median": 200.0, "least": 190.0, "most": 2100.0}
ROW: dict[str, Any] = {
    "system": "twinset, as it comes",
    "sentences_per_second": SPREAD,
    "ratio": {"median": 2.5, "least": 2.25, "most": 3.0},
    "memory_peak": 1234.4,
}
CASE: dict[str, Any] = {
    "case": "mini, sentences",
    "encoder": "built-in",
    "sentences": 2048,
    "tokens": 14.5,
    "max_length": 64,
    "left_out": {"twinset through onnx": "not installed"},
}


def test_table_of_training_speed() -> None:
    slow = {"median": 9.5, "least": 9.0, "most": 10.0}
    case = CASE | {"rows": [ROW | {"without_tokenising": slow}]}
    shown = tables.training_speed({"batch_size": 64, "peer": {"torch": "2.13.0"}, "cases": [case]})
    cells = ("200 (190 to 2,100)", "**2.50 (2.25 to 3.00)**", "9.5 (9.0 to 10.0)", "1,234 MiB")
    assert f"| twinset, as it comes | {' | '.join(cells)} |" in shown.splitlines()
    assert "2,048 texts of 14.5 tokens" in shown
    assert "Left out: twinset through onnx: not installed" in shown


def test_table_of_encoding_speed() -> None:
    case = CASE | {"rows": [ROW | {"off": 1.2e-6, "cosine": 0.99996}]}
    shown = tables.encoding_speed({"peers": {"onnx": {"onnxruntime": "1.31.1"}}, "cases": [case]})
    assert "| 1e-06 | 0.99996 | 1,234 MiB |" in shown
    assert "onnx: onnxruntime 1.31.1" in shown


def test_table_of_memory() -> None:
    row = {
        "system": "twinset",
        "step": "cached",
        "batch": 4096,
        "memory": 333.3,
        "memory_peak": 800.0,
        "sentences_per_second": 150.4,
    }
    shown = tables.training_memory({"rows": [row], "left_out": {}, "cached 512 over plain 64": 1.05})
    assert "| twinset | cached | 4,096 | 333 MiB | 800 MiB | 150 |" in shown.splitlines()
    assert "1.05 times a plain batch of 64" in shown


def test_table_of_scale() -> None:
    row = {
        "sentences": 1_000_000,
        "seconds": 600.0,
        "sentences_per_second": 1666.7,
        "memory": 300.0,
        "memory_peak": 700.0,
    }
    shown = tables.encoding_scale({"rows": [row], "growth": 1.02})
    assert "| 1,000,000 | 600.0 s | 1,667 | 300 MiB | 700 MiB |" in shown.splitlines()
    assert "grew by +2%" in shown


def test_table_of_a_steps_time() -> None:
    row = {
        "kind": "dropout",
        "before_share": 0.15,
        "after_share": 0.03,
        "before_ms": 60.0,
        "after_ms": 4.5,
    }
    seconds = {"before": SPREAD | {"median": 0.4}, "after": SPREAD | {"median": 0.15}}
    shown = tables.step_profile({"rows": [row], "seconds": seconds})
    assert "| dropout | 60.0 ms | 4.5 ms | 15.0% | 3.0% |" in shown.splitlines()
    assert "2.67 times as fast" in shown


def test_table_of_parity() -> None:
    runs = [
        {"loop": loop, "seed": seed, "dev": dev, "dev_last": dev - 1, "seconds": 60.0}
        for loop, seed, dev in [("engine", 1, 74.0), ("engine", 2, 75.0), ("plain loop", 1, 74.5)]
    ]
    verdict = {"difference": 0.25, "standard_error": 0.4, "within": True}
    shown = tables.dev_parity({"runs": runs, "best_look": verdict, "last_look": None})
    assert "| engine | 74.00, 75.00 | 74.50 ± 0.71 | 73.50 ± 0.71 | 60 s |" in shown.splitlines()
    assert "| plain loop | 74.50 | 74.50 | 73.50 | 60 s |" in shown.splitlines()
    assert "best look: +0.25, within two standard errors (0.40 each)" in shown


def test_every_table_has_its_section() -> None:
    shown = [show for _, _, show in results_page.SECTIONS]
    named = [
        tables.training_speed,
        tables.training_memory,
        tables.encoding_speed,
        tables.encoding_scale,
        tables.step_profile,
        tables.dev_parity,
    ]
    assert [each for each in named if each not in shown] == []
