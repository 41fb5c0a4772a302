from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.tiny_study import HEAD, TEST, study_text, variants_text
from twinset.errors import RecipeError
from twinset.objectives import InfoNCE, NTXent
from twinset.recipes import consert
from twinset.studies import parse_study, read_study
from twinset.studies.example import example


def test_variants_are_the_base_with_changes() -> None:
    study = parse_study(
        variants_text(
            'name = "a"',
            'name = "b"\nset = ["recipe.batch_size=8", "data.limit=50"]',
            'name = "c"\nrecipe = "consert"\nset = ["recipe.epochs=3"]',
            'name = "d"\nrecipe = "consert"\nsetting = "paper"',
        )
    )
    a, b, c, d = (variant.run for variant in study.variants)
    assert (a.recipe.batch_size, a.data.limit, type(a.recipe.objective)) == (32, None, InfoNCE)
    assert (b.recipe.batch_size, b.data.limit) == (8, 50)
    assert (c.recipe.batch_size, c.recipe.epochs, type(c.recipe.objective)) == (64, 3, NTXent)
    assert d.recipe == consert("paper")
    assert {run.data.train for run in (a, b, c, d)} == {"x.txt"}
    assert study.baseline == "a"


def test_run_files_as_base_and_asvariants_text(tmp_path: Path) -> None:
    for name, size in (("one", 16), ("two", 24)):
        text = f'seed = 9\n[data]\ntrain = "{name}.txt"\n[recipe]\nbatch_size = {size}\n'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    other = f'[[variant]]\nname = "b"\nrun = "{tmp_path / "two.toml"}"\nset = ["recipe.epochs=7"]\n'
    text = f'base = "{tmp_path / "one.toml"}"\n{TEST}[[variant]]\nname = "a"\n{other}'
    a, b = (variant.run for variant in parse_study(text).variants)
    assert (a.data.train, a.recipe.batch_size) == ("one.txt", 16)
    assert (b.data.train, b.recipe.batch_size, b.recipe.epochs) == ("two.txt", 24, 7)


def test_grids_of_the_base_and_of_a_variant() -> None:
    text = variants_text(
        'name = "a"', 'name = "b"\nrecipe = "consert"\n[variant.grid]\nrecipe.epochs = [1, 2]'
    )
    study = parse_study(f'{text}[grid]\n"recipe.batch_size" = [4, 8]\n')
    assert [variant.name for variant in study.variants] == [
        "a",
        "b epochs=1",
        "b epochs=2",
        "batch_size=4",
        "batch_size=8",
    ]
    assert [variant.family for variant in study.variants] == ["a", "b", "b", "grid", "grid"]
    assert [variant.run.recipe.batch_size for variant in study.variants] == [32, 64, 64, 4, 8]
    assert [variant.run.recipe.epochs for variant in study.variants[1:3]] == [1, 2]


def test_one_run_is_a_study_too() -> None:
    study = parse_study(HEAD + TEST)
    assert [variant.name for variant in study.variants] == ["base"]


def test_seeds_and_what_is_set_from_outside() -> None:
    text = "seeds = [3, 5]\n" + variants_text('name = "a"', 'name = "b"\nset = ["recipe.epochs=4"]')
    assert parse_study(text).settings.numbers == (3, 5)
    study = parse_study(text, ["recipe.epochs=2", "recipe.batch_size=6"], seeds=3)
    assert study.settings.numbers == (0, 1, 2)
    assert [variant.run.recipe.epochs for variant in study.variants] == [2, 4]
    assert {variant.run.recipe.batch_size for variant in study.variants} == {6}
    assert parse_study("first_seed = 10\nseeds = 2\n" + HEAD + TEST).settings.numbers == (10, 11)


def test_a_cell_has_its_seed_and_no_bar(data: Path) -> None:
    study = parse_study(study_text(data))
    cell = study.counted(study.variants)[3]
    run = cell.variant.seeded(cell.seed)
    assert (str(cell), run.seed, run.recording.progress) == ("hot, seed 1", 1, False)
    assert str(cell.place) == "cells/hot/seed-1"
    assert [str(each) for each in study.counted(study.variants)[:2]] == ["plain, seed 0", "hot, seed 0"]


def test_folders_of_names_that_no_file_system_takes() -> None:
    study = parse_study(
        variants_text('name = "a/b"', 'name = "../x"', 'name = "größe 2"', 'name = "t=0.05 (new)"')
    )
    folders = [variant.folder for variant in study.variants]
    assert all("/" not in folder and not folder.startswith(".") for folder in folders)
    assert folders[3] == "t=0.05 (new)"
    assert len(set(folders)) == 4


def test_the_example_is_a_study(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(example("my texts.txt"), encoding="utf-8")
    study = read_study(tmp_path / "study.toml")
    assert (study.name, study.baseline, len(study.settings.numbers)) == ("study", "simcse", 5)
    assert study.variants[1].run.data.train == "my texts.txt"
    commented = example("x.txt").replace("# [", "[").replace('# "', '"')
    for field in ("seeds = 2", "keep = 3", "first_seed = 1000"):
        commented = commented.replace(f"# {field}", field)
    assert [len(parse_study(commented).variants), len(parse_study(commented).screening)] == [5, 10]


BAD: list[tuple[str, str]] = [
    (variants_text('nam = "a"'), "variant.0.nam: no such field; did you mean 'name'?"),
    (variants_text('name = " "'), "variant.0.name: it is empty"),
    (variants_text('name = "a"', 'name = "A"'), "variant: two are called 'A'"),
    (
        variants_text('name = "a"\nrecipe = "conser"'),
        "variant.0.recipe: there is no recipe 'conser'; did you mean 'consert'?",
    ),
    (
        variants_text('name = "a"\nrecipe = "consert"\nrun = "x.toml"'),
        "variant.0.run: a variant has a recipe or a run file",
    ),
    (variants_text('name = "a"\nrun = "none.toml"'), "none.toml: no such file"),
    (
        variants_text('name = "a"\nset = ["recipe.epoch=3"]'),
        "variant a: recipe.epoch: no such field; did you mean 'epochs'?",
    ),
    (
        variants_text('name = "a"\nset = ["recipe.epochs"]'),
        "variant a: set recipe.epochs: write it as field=value",
    ),
    (variants_text('name = "a"\nset = ["seed=3"]'), "variant a: seed=3: the study's seeds decide"),
    (variants_text('name = "a"\ntried = 0'), "variant.0.tried: 0 is below 1"),
    (
        variants_text('name = "a"\n[variant.grid]\nrecipe.epochs = 3'),
        "variant.0.grid.recipe.epochs: 3 is not a list",
    ),
    (
        "baseline = 'b'\n" + variants_text('name = "bb"'),
        "baseline: no variant is called 'b'; did you mean 'bb'?",
    ),
    ("bsae = 3\n" + HEAD + TEST, "bsae: no such field; did you mean 'base'?"),
    ("seeds = 0\n" + HEAD + TEST, "seeds: there must be at least 1"),
    ("seeds = [1, 1]\n" + HEAD + TEST, "seeds: one stands twice"),
    ("seeds = [-1]\n" + HEAD + TEST, "seeds: -1 is below 0"),
    ("seeds = 'many'\n" + HEAD + TEST, "seeds: 'many' is not a whole number or a list"),
    (
        "seeds = 1500\n" + HEAD + TEST + "[screen]\n",
        "screen.first_seed: seed 1000 would choose the finalists",
    ),
    (HEAD.replace('dev = "d.csv"\n', "") + TEST + "[screen]\n", "base has no data.dev"),
    (HEAD + TEST + "[screen]\nkeep = 0\n", "screen.keep: 0 is below 1"),
    ("threads = 0\n" + HEAD + TEST, "threads: 0 is below 1"),
    ("processes = 'all'\n" + HEAD + TEST, "processes: 'all' is none of auto"),
    ("draws = 5\n" + HEAD + TEST, "draws: 5 is below 100"),
    ("margin = 1.0\n" + HEAD + TEST, "margin: 1.0 is not between 0 and 1"),
    ("models = 'some'\n" + HEAD + TEST, "models: 'some' is none of keep, drop"),
    (HEAD, "test: missing; it must be given"),
    (HEAD + "[test]\n", "test.suite: name what to test on"),
    (HEAD + '[test]\nsuite = "sts"\n', "test.data: say where suite sts is"),
    (HEAD + '[test]\nsuite = "sts"\ndata = "."\nsplit = "test"\n', "test.split: a suite knows its own"),
    (TEST, "base: missing; name a run file"),
    ("base = 3\n" + TEST, "base: 3 is neither"),
    ("base = 'none.toml'\n" + TEST, "none.toml: no such file"),
    ("seeds = \n", "line 1, column"),
    ("[grid]\na = 1\n[grid]\n", "is not TOML"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[message for _, message in BAD])
def test_what_is_wrong_is_told_by_name(text: str, message: str) -> None:
    with pytest.raises(RecipeError) as found:
        parse_study(text)
    assert message in str(found.value)


def test_where_it_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("seed = 3\n" + HEAD + TEST, encoding="utf-8")
    with pytest.raises(RecipeError, match=r"s\.toml: seed: no such field; did you mean 'seeds'"):
        read_study(tmp_path / "s.toml")
    with pytest.raises(RecipeError, match="no such file; twinset init --study writes a study file"):
        read_study(tmp_path / "none.toml")
