"""Bad input, by hand: exit code 2, one message that says what is wrong, no traceback, nothing written."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.command import Result, twinset


def _refused(result: Result, out: Path, message: str) -> None:
    assert result.code == 2, result
    assert result.out == ""
    assert message in result.err
    assert "Traceback" not in result.err
    assert not out.exists()


def _parquet(**columns: list[object]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


PARQUET = _parquet(text=["one", "two"])

TRAIN_FILES: list[tuple[str, bytes, str]] = [
    ("empty.txt", b"", "empty"),
    ("blank.txt", b"\n \n\t\n", "no row with a text"),
    ("one.txt", b"a single line\n", "contrast needs at least 2"),
    ("latin.txt", b"caf\xe9\nbar\n", "line 1"),
    ("binary.txt", bytes(range(256)), "line"),
    ("nul.txt", b"a\x00b\nc\n", "NUL"),
    ("text.docx", b"PK\x03\x04", "suffix '.docx'"),
    ("text", b"a\nb\n", "no suffix"),
    ("list.json", b'["a", "b"]', "one JSON object a line"),
    ("bad.jsonl", b'{"text": "a"}\n{"text": \n', "line 2"),
    ("array.jsonl", b'["a"]\n["b"]\n', "line 1"),
    ("null.jsonl", b'{"text": "a"}\n{"text": null}\n', "text"),
    ("number.jsonl", b'{"text": "a"}\n{"text": 5}\n', "text"),
    ("missing.jsonl", b'{"text": "a"}\n{"txt": "b"}\n', "text"),
    ("ragged.csv", b"text,label\na,b\nc,d,e,f\n", "line 3"),
    ("quotes.csv", b'text\n"never closed\n', "quote"),
    ("columns.csv", b"name,street,town\na,b,c\nd,e,f\n", "say of no kind of data"),
    ("header.csv", b"text\n", "no row"),
    ("cut.parquet", PARQUET[: len(PARQUET) // 2], "cut.parquet"),
    ("fake.parquet", b"this is no parquet", "fake.parquet"),
    ("cut.txt.gz", gzip.compress(b"one\ntwo\n" * 500)[:-12], "cut.txt.gz"),
    ("fake.txt.gz", b"plain text", "fake.txt.gz"),
    ("pairs.csv", b"question,answer\na,b\nc,d\n", "recipe.views"),
    ("scored.csv", b"sentence1,sentence2,score\na,b,1\nc,d,2\n", "its rows have scores"),
    ("labelled.csv", b"premise,hypothesis,label\na,b,x\nc,d,y\n", "its rows have labels"),
    ("ranked.csv", b"query,document,relevance\na,b,1\nc,d,0\n", "ranked lists"),
    ("wide.parquet", _parquet(a=[1, 2], b=[3, 4]), "say of no kind of data"),
    ("numbers.parquet", _parquet(text=[1, 2]), "text"),
]


@pytest.mark.parametrize(
    ("name", "content", "message"), TRAIN_FILES, ids=[name for name, _, _ in TRAIN_FILES]
)
def test_files_to_learn_from(name: str, content: bytes, message: str, run_file: Path, tmp_path: Path) -> None:
    path, out = tmp_path / name, tmp_path / "out"
    path.write_bytes(content)
    _refused(twinset("train", run_file, "--set", f"data.train={path}", "--out", out), out, message)


DEV_FILES: list[tuple[str, bytes, str]] = [
    ("nan.csv", b"sentence1,sentence2,score\na,b,1\nc,d,nan\n", "score"),
    ("inf.csv", b"sentence1,sentence2,score\na,b,1\nc,d,inf\n", "score"),
    ("word.csv", b"sentence1,sentence2,score\na,b,high\n", "score"),
    ("gap.csv", b"sentence1,sentence2,score\na,b,\n", "score"),
    ("unscored.csv", b"sentence1,sentence2\na,b\n", "score"),
    ("near.csv", b"sentence1,sentence2,scoer\na,b,1\n", "score"),
    ("one.txt", b"a\nb\n", "scored pairs"),
    ("empty.csv", b"", "empty"),
]


@pytest.mark.parametrize(("name", "content", "message"), DEV_FILES, ids=[name for name, _, _ in DEV_FILES])
@pytest.mark.parametrize("verb", ["train", "evaluate"])
def test_files_to_judge_by(
    verb: str, name: str, content: bytes, message: str, run_file: Path, tiny_folder: Path, tmp_path: Path
) -> None:
    path, out = tmp_path / name, tmp_path / "out"
    path.write_bytes(content)
    if verb == "train":
        _refused(twinset("train", run_file, "--set", f"data.dev={path}", "--out", out), out, message)
    else:
        _refused(twinset("evaluate", tiny_folder, "--file", path, "--out", out), out, message)


SETTINGS: list[tuple[str, str]] = [
    ("data.train=nowhere.txt", "nowhere.txt"),
    ("data.train=.", "is a folder"),
    ("data.train=", "data.train: the name is empty"),
    ("encoder=", "encoder: the name is empty"),
    ("data.train=3", "data.train: 3 is not a text"),
    ("data.kind=sentence", "did you mean 'sentences'?"),
    ("data.columns=[body]", "data.columns"),
    ('data.columns=["body"]', "body"),
    ("data.columns=[7]", "7"),
    ("data.split=train", "split"),
    ("data.limit=0", "data.limit: 0 is below 2"),
    ("data.encoding=klingon", "klingon"),
    ("data.roles=[1]", "data.roles"),
    ('data.roles=["query", "document"]', "roles"),
    ('data.roles=["poet"]', "poet"),
    ("data.dev=nowhere.csv", "nowhere.csv"),
    ("data.dev=.", "sts_en/stsb"),
    ("data.dev_split=dev", "split"),
    ("data.trian=x", "did you mean 'train'?"),
    ("encoder=./nowhere", "nowhere"),
    ("encoder=run.toml", "is a file"),
    ("encoder=no such model", "no such model"),
    ("encoder=3", "encoder: 3 is not a text"),
    ("seed=-1", "seed: -1 is below 0"),
    ("seed=1.5", "seed: 1.5 is not a whole number"),
    ("sed=1", "did you mean 'seed'?"),
    ("recipe=consert", "recipe: 'consert' is not a table"),
    ("recipe.batch_size=0", "recipe.batch_size: 0"),
    ("recipe.batch_size=-4", "recipe.batch_size: -4"),
    ("recipe.learning_rate=-1e-5", "recipe.learning_rate"),
    ("recipe.learning_rate=nan", "recipe.learning_rate: nan"),
    ("recipe.epochs=0", "recipe.epochs: 0.0 is not above 0"),
    ("recipe.epochs=1e300", "beyond any number"),
    ("recipe.steps=0", "recipe.steps: 0 is below 1"),
    ("recipe.max_length=0", "recipe.max_length: 0 is below 1"),
    ("recipe.dropout=1", "recipe.dropout: 1.0 is not in [0, 1)"),
    ("recipe.clip=0", "recipe.clip: 0.0 is not above 0"),
    ("recipe.training_pooling=average", "recipe.training_pooling: 'average' is none of cls"),
    ("recipe.precision=int8", "recipe.precision: 'int8' is none of auto, fp32, bf16"),
    ("recipe.objective.kind=infonse", "did you mean 'infonce'?"),
    ("recipe.objective.temperature=0", "recipe.objective.temperature: 0.0 is not above 0"),
    ("recipe.objective.directions=three", "is none of one, both"),
    ("recipe.objective.margin=1", "recipe.objective.margin: no such field"),
    ("recipe.objective.kind=weighted_sum", "recipe.objective.parts: missing"),
    ("recipe.views=as_given", "recipe.objective: InfoNCE needs 2 views"),
    ("recipe.views.kind=pair", "recipe.views.first: missing"),
    (
        'recipe.views={kind="pair",first="unchanged",second={kind="token_cutoff",rate=1}}',
        "recipe.views.second.rate",
    ),
    ("recipe.memory.batches=0", "recipe.memory.batches"),
    ("recipe.memory.view=9", "memory.view: 9"),
    ('recipe.step={kind="adversarial"}', "recipe.objective: InfoNCE takes every view after the second"),
    ('recipe.step={kind="adversarial",part=1}', "recipe.step.part: the objective has no part 1"),
    ("recipe.dropout=0", "recipe.views: both looks at a text would be the same"),
    ('recipe.step={kind="adversarial",attack="infonce",of=9}', "step.of: 9"),
    ("recipe.optimizer.betas=[1, 2, 3]", "recipe.optimizer.betas"),
    ("recipe.schedule.warmup=-0.1", "recipe.schedule.warmup"),
    ("recipe.select.metric=ndcg", "recipe.select.metric: 'ndcg' is none of spearman, pearson"),
    ("recipe.select.every=0", "recipe.select.every: 0 is below 1"),
    ("recording.save_every=0", "recording.save_every: 0 is below 1"),
    ("recording.log_every=often", "recording.log_every: 'often' is not a whole number"),
    ("recipe.batch_size", "write it as field=value"),
    ("recipe..x=1", "write it as field=value"),
    ("recipe.batch_size.x.y=1", "recipe.batch_size"),
]


@pytest.mark.parametrize(("setting", "message"), SETTINGS, ids=[setting for setting, _ in SETTINGS])
def test_settings(
    setting: str, message: str, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    _refused(twinset("train", run_file, "--set", setting, "--out", out), out, message)


RUN_FILES: list[tuple[bytes, str]] = [
    (b"", "data: missing"),
    (b"[data", "run.toml, line 1: is not TOML"),
    (b"seed = 1\nseed = 2", "run.toml, line 2"),
    (b"seed: 1", "is not TOML"),
    (b"\xff\xfe[\x00", "is not UTF-8 text"),
    (b"\x00" * 40, "is not TOML"),
    (b"data = []", "data: [] is not a table"),
    (b"[[data]]\ntrain = 'a'", "is not a table"),
    (b"[data]\ntrain = 'a'\n[recipe]\nviews = []", "recipe.views: [] is not a table"),
    (b"[data]\ntrain = 2024-01-01", "data.train: datetime.date"),
    (b'{"data": {"train": "a.txt"}}', "is not TOML"),
    (b"x=" + b"[" * 5000, "run.toml"),
]


@pytest.mark.parametrize(("content", "message"), RUN_FILES, ids=range(len(RUN_FILES)))
def test_run_files(content: bytes, message: str, tmp_path: Path) -> None:
    path, out = tmp_path / "run.toml", tmp_path / "out"
    path.write_bytes(content)
    _refused(twinset("train", path, "--out", out), out, message)


ARGUMENTS: list[tuple[list[str], str]] = [
    (["train"], "Missing argument"),
    (["train", "nowhere.toml"], "no such file; twinset init writes"),
    (["train", "."], "is a folder"),
    (["train", "run.toml", "--out", "texts.txt"], "is a file; name a folder"),
    (["train", "run.toml", "--out", "texts.txt/a"], "cannot be made a folder"),
    (["train", "run.toml", "--out", "x" * 300], "x"),
    (["train", "run.toml", "--resume"], "no run was begun here"),
    (["train", "run.toml", "--sett", "a=b"], "No such option"),
    (["init", "--recipe", "concert"], "did you mean 'consert'?"),
    (["init", "--setting", "large"], "'large' is none of mini, paper"),
    (["init", "--data", "nowhere.csv"], "nowhere.csv"),
    (["evaluate", "mini"], "name what to evaluate on"),
    (["evaluate", "mini", "--suite", "sts"], "say where the data is"),
    (["evaluate", "mini", "--suite", "stss", "--data", "."], "did you mean sts?"),
    (["evaluate", "mini", "--suite", "sts", "--data", "nowhere"], "nowhere"),
    (["evaluate", "mini", "--suite", "sts", "--data", "texts.txt"], "texts.txt"),
    (
        ["evaluate", "mini", "--suite", "sts", "--data", ".", "--file", "pairs.csv"],
        "name what to evaluate on",
    ),
    (["evaluate", "mini", "--suite", "sts", "--data", "."], "sts_en"),
    (["evaluate", "mini", "--file", "pairs.csv", "--pooling", "avg"], "'avg' is none of cls"),
    (["evaluate", "mini", "--file", "pairs.csv", "--out", "no/scores.json"], "there is no folder no"),
    (["evaluate", "mini", "--file", "pairs.csv", "--out", "."], "is a folder"),
    (["evaluate", "mini", "--file", "pairs.csv", "--file", "pairs.csv"], "same name"),
    (["evaluate", "mini", "--file", "pairs.csv", "--max-length", "0"], "--max-length"),
    (["evaluate", "mini", "--file", "pairs.csv", "--max-length", "9999"], "max_length=9999"),
    (
        ["evaluate", "mini", "--file", "pairs.csv", "--task", "poetry"],
        "'poetry' is none of sts, pairs, ranking",
    ),
    (["evaluate", "mini", "--file", "pairs.csv", "--task", "pairs"], "label"),
    (["evaluate", "mini", "--file", "pairs.csv", "--task", "ranking"], "every order is right"),
    (
        ["evaluate", "mini", "--file", "pairs.csv", "--task", "retrieval"],
        "is a file; a folder with queries.jsonl",
    ),
    (
        ["evaluate", "mini", "--file", "nowhere", "--task", "retrieval"],
        "no such folder; a folder with queries",
    ),
    (["evaluate", "mini", "--file", "same.csv", "--task", "pairs"], "same: no pair does not"),
    (["evaluate", "mini", "--file", "words.csv", "--task", "pairs"], "which of the labels different, same"),
    (["evaluate", "mini", "--file", "both.csv", "--task", "pairs", "--dev", "nowhere.csv"], "nowhere.csv"),
    (
        ["evaluate", "mini", "--file", "both.csv", "--task", "pairs", "--dev", "same.csv"],
        "no dev pair does not",
    ),
    (["evaluate", "mini", "--file", "both.csv", "--task", "pairs", "--dev-split", "dev"], "--dev FILE"),
    (["evaluate", "mini", "--file", "both.csv", "--task", "pairs", "--subsets"], "only scored pairs do"),
    (["evaluate", "mini", "--file", "pairs.csv", "--dev", "pairs.csv"], "only --task pairs chooses"),
    (["evaluate", "mini", "--file", "pairs.csv", "--metric", "map"], "--metric: only --task ranking"),
    (
        ["evaluate", "mini", "--file", "both.csv", "--task", "ranking", "--metric", "hits"],
        "'hits' is none of ndcg",
    ),
    (
        ["evaluate", "mini", "--file", "wrong.csv", "--task", "ranking"],
        "wrong: no query has a relevant candidate",
    ),
    (["evaluate", "mini", "--suite", "pairs", "--data", "."], "suite pairs needs pairs_en/mrpc"),
    (["evaluate", "mini", "--suite", "ranking", "--data", "."], "missing: pairs_en/trecqa_wang"),
    (["evaluate", "mini", "--suite", "retrieval", "--data", "."], "missing: retrieval/pfcc_s/queries"),
    (["evaluate", "mini", "--suite", "transfer", "--data", "."], "missing: transfer/CR"),
    (["evaluate", "mini", "--suite", "sts", "--data", ".", "--task", "pairs"], "--task: goes with --file"),
    (["evaluate", "mini", "--suite", "sts", "--data", ".", "--split", "dev"], "--split: goes with --file"),
    (["evaluate", "./nowhere", "--file", "pairs.csv"], "nowhere"),
    (["evaluate", "texts.txt", "--file", "pairs.csv"], "is a file"),
    (["evaluate", "hollow", "--file", "pairs.csv"], "hollow"),
    (["evaluate", "fake", "--file", "pairs.csv"], "fake"),
    (["encode", "mini", "texts.txt"], "Missing option"),
    (["encode", "mini", "nowhere.txt", "-o", "out"], "nowhere.txt"),
    (["encode", "mini", ".", "-o", "out"], "is a folder"),
    (["encode", "mini", "texts.txt", "-o", "."], "is a folder"),
    (["encode", "mini", "texts.txt", "-o", "no/out.npy"], "there is no folder no"),
    (["encode", "mini", "texts.txt", "-o", "texts.txt/out.npy"], "is a file, not a folder"),
    (["encode", "mini", "texts.txt", "-o", "out", "--precision", "fp8"], "'fp8' is none of auto, fp32, bf16"),
    (
        ["encode", "mini", "texts.txt", "-o", "out", "--output", "int4"],
        "'int4' is none of fp32, int8, binary",
    ),
    (["encode", "mini", "texts.txt", "-o", "out", "--processes", "0"], "--processes"),
    (["encode", "mini", "texts.txt", "-o", "out", "--role", "poet"], "poet"),
    (["encode", "mini", "pairs.csv", "-o", "out"], "pairs.csv"),
    (["encode", "mini", "pairs.csv", "--column", "score", "-o", "out", "--max-length", "-1"], "--max-length"),
    (["encode", "mini", "pairs.csv", "--column", "scor", "-o", "out"], "scor"),
    (["search", "mini"], "Missing argument"),
    (["search", "mini", "nowhere.txt", "x"], "nowhere.txt"),
    (["search", "mini", "texts.txt", "x", "-k", "0"], "-k"),
    (["search", "./nowhere", "texts.txt", "x"], "nowhere"),
    (["export", "mini", "--to", "onyx", "-o", "out"], "'onyx' is none of sentence-transformers"),
    (["export", "mini", "--to", "sentence-transformers", "-o", "."], "not empty"),
    (
        ["export", "mini", "--to", "onnx", "--half", "-o", "out"],
        "--half: a graph for onnx",
    ),
    (
        ["encode", "mini", "texts.txt", "--backend", "onyx", "-o", "out"],
        "'onyx' is none of torch, onnx, openvino",
    ),
    (["encode", "mini", "texts.txt", "--backend", "onnx", "-o", "out"], "has no onnx/model.onnx"),
    (["export", "mini", "--to", "sentence-transformers", "-o", "texts.txt"], "is a file"),
    (["export", "mini", "--to", "sentence-transformers"], "Missing option"),
    (["demo", "--text", "nowhere.txt"], "nowhere.txt"),
    (["demo", "--out", "."], "not empty"),
    (["demo", "--out", "texts.txt"], "is a file"),
    (["dmeo"], "demo"),
]


@pytest.mark.parametrize(("arguments", "message"), ARGUMENTS, ids=[" ".join(a)[:60] for a, _ in ARGUMENTS])
@pytest.mark.usefixtures("scored")
def test_arguments(
    arguments: list[str], message: str, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hollow").mkdir()
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "config.json").write_text('{"model_type": "bert"')
    for name, labels in (("same", "11"), ("both", "01"), ("wrong", "00"), ("words", ("same", "different"))):
        rows = [f"text {label},another {label},{label}" for label in labels]
        (tmp_path / f"{name}.csv").write_text("\n".join(["sentence1,sentence2,label", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    _refused(twinset(*arguments), tmp_path / "out", message)
    assert sorted(tmp_path.rglob("*")) == before


def test_there_are_seventy_and_more() -> None:
    assert sum(map(len, (TRAIN_FILES, DEV_FILES, SETTINGS, RUN_FILES, ARGUMENTS))) >= 70


def test_no_room_to_write(run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is the work's failure (1), told with the path; no half file stays."""
    from twinset.training.disk import Disk

    def full(self: Disk, path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Disk, "write", full)
    result = twinset("train", run_file, "--out", tmp_path / "out")
    assert result.code == 1
    assert "the disk is full" in result.err
    assert list((tmp_path / "out").iterdir()) == []


_STUDY = '[base]\n[base.data]\ntrain = "TEXTS"\ndev = "PAIRS"\n[test]\nfiles = ["PAIRS"]\n'
STUDIES: list[tuple[str, str, str]] = [
    ("seeds = 2", "sedes = 2", "sedes: no such field; did you mean 'seeds'?"),
    ("seeds = 2", "seeds = 2.5", "seeds: 2.5 is not a whole number or a list"),
    ("seeds = 2", 'baseline = "x"', "baseline: no variant is called 'x'"),
    ("[base]\n", '[base]\nencodr = "mini"\n', "variant base: encodr: no such field; did you mean 'encoder'?"),
    ("[base]\n", '[base]\nencoder = "no such model"\n', "variant base: no such model"),
    ("[base]\n", '[[variant]]\nname = "a"\nrecipe = "simsce"\n[base]\n', "did you mean 'simcse'?"),
    ("[base]\n", '[grid]\n"recipe.epochs" = [0]\n[base]\n', "variant epochs=0: recipe.epochs: 0"),
    ("[base]\n", '[grid]\n"recipe.epochs" = []\n[base]\n', "grid.recipe.epochs: [] is not a list of values"),
    ('train = "TEXTS"', 'train = "nowhere.txt"', "variant base: nowhere.txt"),
    ('dev = "PAIRS"', 'dev = "nowhere.csv"', "variant base: nowhere.csv"),
    ('files = ["PAIRS"]', 'files = ["nowhere.csv"]', "nowhere.csv"),
    ('files = ["PAIRS"]', 'files = "PAIRS"', "test.files"),
    (
        'files = ["PAIRS"]',
        'suite = "stss"\ndata = "."',
        "suite: 'stss' is none of sts, stsb-dev",
    ),
    ('files = ["PAIRS"]', 'suite = "sts"\ndata = "."', "missing: sts_en/"),
    ("seeds = 2", "threads = 0", "threads: 0 is below 1"),
]


@pytest.mark.parametrize(("old", "new", "message"), STUDIES, ids=[message for *_, message in STUDIES])
def test_study_files(
    old: str,
    new: str,
    message: str,
    texts: Path,
    scored: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        ("seeds = 2\n" + _STUDY).replace(old, new).replace("TEXTS", str(texts)).replace("PAIRS", str(scored))
    )
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    _refused(twinset("study", tmp_path / "study.toml", "--out", out), out, message)
