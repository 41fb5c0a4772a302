"""Bad input, drawn at random: whatever bytes come, an exit code and a message, and nothing half-done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.command import Result, twinset
from twinset import recipes
from twinset.recipes import RunFile, TrainingData, to_toml

GOOD = to_toml(RunFile(encoder="TINY", data=TrainingData(train="TRAIN"), recipe=recipes.consert()))
LINES = GOOD.splitlines()
VALUES = [place for place, line in enumerate(LINES) if " = " in line and not line.startswith("#")]
SAMPLES = [
    *("", "=", "[", "]", '"', "'", "nan", "inf", "-1", "0", "1e400", "true", "[]", "{}", "none", '"none"'),
    *(
        "[[a]]",
        "1979-05-27",
        '"\\u0000"',
        '"\\ud800"',
        "9" * 30,
        "0x10",
        '"../../.."',
        "[1, 2]",
        '{kind = "pair"}',
    ),
]
# The same draws every time: the counts below would else depend on luck. `python -m benchmarks bad_input
# --examples N` digs deeper, and counts.
FUZZED = settings(
    max_examples=int(os.environ.get("TWINSET_EXAMPLES", "100")),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


Tell = Callable[[str, object], None]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The good run file with lines changed, lost, doubled, or bytes put in."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(VALUES))
        name = lines[place].split(" = ")[0]
        value = draw(st.sampled_from(SAMPLES) | st.text(max_size=8) | st.floats().map(repr))
        lines[place] = draw(
            st.sampled_from(
                [f"{name} = {value}", f"{name}{value} = 1", value, "", f"{name}\n{name} = {value}"]
            )
        )
    text = "\n".join(lines)
    cut = draw(st.sampled_from([None, None, None, len(text) // 2, len(text) - 40]))
    return text[:cut]


def _sound(result: Result, out: Path) -> bool:
    """Whether the input was refused; either way the manners must be kept."""
    assert result.code in (0, 2), result
    assert "Traceback" not in result.err
    if result.code == 0:
        assert (out / "model").is_dir()
        shutil.rmtree(out)
        return False
    assert result.out == ""
    assert result.err.startswith(("twinset: ", "Usage: "))
    assert not out.exists()
    return True


def test_run_files(tmp_path: Path, texts: Path, tiny_folder: Path, record_property: Tell) -> None:
    refused: set[str] = set()
    out, path = tmp_path / "out", tmp_path / "run.toml"

    @FUZZED
    @given(mutated())
    def check(text: str) -> None:
        whole = text.replace("TINY", str(tiny_folder)).replace("TRAIN", str(texts))
        path.write_text(whole, encoding="utf-8", errors="replace")
        # A few updates are enough to see a run begin.
        if _sound(twinset("train", path, "--out", out, "--set", "recipe.steps=1", "--quiet"), out):
            refused.add(text)

    check()
    record_property("refused", len(refused))
    assert len(refused) >= 30


PIECES = [
    *(
        b"text",
        b"sentence1",
        b"score",
        b",",
        b'"',
        b"\n",
        b"\r",
        b"\r\n",
        b"\t",
        b"a",
        b"1",
        b"\x00",
        b"\xff",
    ),
    *(
        b"{",
        b"}",
        b'{"text": "a"}',
        b'{"text": 1}',
        b"[",
        b"null",
        b"\xef\xbb\xbf",
        b"\xf0\x9f\x8e\x88",
        b" ",
    ),
    *(b'"a""b"', b"nan", b"\\u", b"\x1f\x8b", b"PAR1"),
]
contents = st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=14).map(b"".join)


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz"])
def test_texts(suffix: str, tmp_path: Path, run_file: Path, record_property: Tell) -> None:
    refused: set[bytes] = set()
    out, path = tmp_path / "out", tmp_path / f"data{suffix}"

    @FUZZED
    @given(contents)
    def check(content: bytes) -> None:
        path.write_bytes(content)
        result = twinset(
            *("train", run_file, "--out", out, "--set", f"data.train={path}"),
            *("--set", "recipe.steps=1", "--set", "data.dev=none", "--quiet"),
        )
        if _sound(result, out):
            refused.add(content)

    check()
    record_property("refused", len(refused))
    assert len(refused) >= 15


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_scored_pairs(suffix: str, tmp_path: Path, tiny_folder: Path, record_property: Tell) -> None:
    refused: set[bytes] = set()
    path = tmp_path / f"data{suffix}"
    header = b"sentence1,sentence2,score\n" if suffix == ".csv" else b""

    @FUZZED
    @given(contents)
    def check(content: bytes) -> None:
        path.write_bytes(header + content)
        result = twinset("evaluate", tiny_folder, "--file", path)
        assert result.code in (0, 2)
        assert "Traceback" not in result.err
        if result.code == 2:
            refused.add(content)

    check()
    record_property("refused", len(refused))
    assert len(refused) >= 30


def test_overrides(tmp_path: Path, run_file: Path, record_property: Tell) -> None:
    refused: set[str] = set()
    out = tmp_path / "out"
    fields = st.sampled_from([line.split(" = ")[0] for line in (LINES[place] for place in VALUES)])
    tables = st.sampled_from(["", "data.", "recipe.", "recipe.views.", "recipe.objective.", "recording."])
    values = st.sampled_from(SAMPLES) | st.text(
        st.characters(blacklist_characters="\0", codec="utf-8"), max_size=8
    )

    @FUZZED
    @given(tables, fields | st.text(max_size=6), values)
    def check(table: str, name: str, value: str) -> None:
        assignment = f"{table}{name}={value}"
        result = twinset(
            *("train", run_file, "--out", out, "--set", "recipe.steps=1"), *("--set", assignment, "--quiet")
        )
        if _sound(result, out):
            refused.add(assignment)

    check()
    record_property("refused", len(refused))
    assert len(refused) >= 30
