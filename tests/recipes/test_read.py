from __future__ import annotations

import pytest

from twinset.errors import RecipeError
from twinset.negatives import Queue
from twinset.objectives import InfoNCE, NTXent
from twinset.recipes import parse_run_file
from twinset.training import AdamW
from twinset.training.steps import Adversarial, Cached
from twinset.views import Compose, DropoutTwice, Pair, TokenCutoff, Unchanged

DATA = '[data]\ntrain = "a.txt"\n'


def _recipe(text: str) -> object:
    return parse_run_file(DATA + text).recipe


def test_what_is_left_out_has_its_default() -> None:
    run = parse_run_file(DATA)
    assert run.encoder == "mini"
    assert run.recipe.views == DropoutTwice()
    assert run.recipe.objective == InfoNCE()


def test_parts_by_kind() -> None:
    run = parse_run_file(
        DATA + '[recipe.objective]\nkind = "nt_xent"\ntemperature = 1\n'
        '[recipe.views]\nkind = "pair"\nfirst = "unchanged"\n'
        'second = {kind = "compose", views = [{kind = "token_cutoff", rate = 0.3}]}\n'
        '[recipe.step]\nkind = "adversarial"\nattack = "nt_xent"\ninner = "cached"\n'
        "[recipe.memory]\nbatches = 3\n[recipe.optimizer]\nbetas = [0.5, 0.6]\n"
    )
    recipe = run.recipe
    assert recipe.objective == NTXent(temperature=1.0)
    assert recipe.views == Pair(Unchanged(), Compose(views=(TokenCutoff(rate=0.3),)))
    assert recipe.step == Adversarial(attack=NTXent(), inner=Cached())
    assert recipe.memory == Queue(batches=3)
    assert recipe.optimizer == AdamW(betas=(0.5, 0.6))


def test_a_table_without_kind_is_of_the_usual_kind() -> None:
    assert parse_run_file(DATA + "[recipe.objective]\ntemperature = 0.2\n").recipe.objective == InfoNCE(
        temperature=0.2
    )


def test_none_is_a_word() -> None:
    recipe = parse_run_file(DATA + '[recipe]\nclip = "none"\nmemory = "none"\n').recipe
    assert recipe.clip is None
    assert recipe.memory is None


def test_whole_numbers_may_stand_for_fractions() -> None:
    epochs = parse_run_file(DATA + "[recipe]\nepochs = 3\n").recipe.epochs
    assert epochs == 3.0
    assert isinstance(epochs, float)


BAD = [
    (
        '[recipe.objective]\nkind = "infonse"',
        "recipe.objective.kind: 'infonse' is none of infonce, nt_xent, weighted_sum; did you mean 'infonce'?",
    ),
    ("[recipe]\nlearning_rat = 1", "recipe.learning_rat: no such field; did you mean 'learning_rate'?"),
    ("[recipe]\nbatch_size = 2.5", "recipe.batch_size: 2.5 is not a whole number"),
    ("[recipe]\nbatch_size = true", "recipe.batch_size: true is not a whole number"),
    ("[recipe]\nbatch_size = 1", "recipe.batch_size: 1; contrast needs at least 2 texts that meet"),
    ('[recipe]\nlearning_rate = "fast"', "recipe.learning_rate: 'fast' is not a finite number"),
    ("[recipe]\nlearning_rate = nan", "recipe.learning_rate: nan is not a finite number"),
    ("[recipe]\nlearning_rate = inf", "recipe.learning_rate: inf is beyond any number"),
    ("[recipe]\nsteps = 99999999999999999999", "recipe.steps: 99999999999999999999 is beyond any number"),
    ('[recipe]\nprecision = "fp16"', "recipe.precision: 'fp16' is none of auto, fp32, bf16; did you mean"),
    ('[recipe]\nclip = "nome"', "recipe.clip: 'nome' is not a finite number or \"none\""),
    ('[recipe]\nbatch_size = "none"', "recipe.batch_size: 'none' is not a whole number"),
    ("[recipe.optimizer]\nbetas = [0.9]", "recipe.optimizer.betas: [0.9] is not a list of 2"),
    ("[recipe.optimizer]\neps = 0", "recipe.optimizer: eps must be above 0"),
    (
        '[recipe.views]\nkind = "pair"\nfirst = "unchanged"',
        "recipe.views.second: missing; it must be given: a part, one of unchanged",
    ),
    (
        '[recipe.views]\nkind = "pair"\nfirst = "unchanged"\nsecond = {kind = "token_cutoff", rate = 2}',
        "recipe.views.second.rate: 2.0 is not in [0, 1)",
    ),
    (
        '[recipe.views]\nkind = "dropout_twice"\nrate = 1',
        "recipe.views.rate: no such field; there are none here",
    ),
    (
        '[recipe.objective]\nkind = "weighted_sum"\nparts = []',
        "recipe.objective.parts: a weighted sum needs at least one objective",
    ),
    (
        '[recipe.objective]\nkind = "weighted_sum"\nparts = 3',
        "recipe.objective.parts: 3 is not a list of tables",
    ),
    (
        '[recipe.objective]\nkind = "weighted_sum"\nparts = [{objective = "x"}]',
        "recipe.objective.parts.0.objective.kind: 'x' is none of",
    ),
    (
        '[recipe.objective]\nkind = "infonce"\ntemperature = -1',
        "recipe.objective.temperature: -1.0 is not above 0",
    ),
    ("[recipe.memory]\nforgetting = 2", "recipe.memory.forgetting: 2.0 is not in (0, 1]"),
    ("[recipe.select]\nevery = 0", "recipe.select.every: 0 is below 1"),
    ("[recipe.objective]\nkind = 3", "recipe.objective.kind: 3 is none of infonce"),
    ('[recipe]\noptimizer = "adam"', "recipe.optimizer: 'adam' is not a table"),
    ("[recipe]\nviews = 3", "recipe.views: 3 is not a table"),
    ("[recording]\nlog_every = 0", "recording.log_every: 0 is below 1"),
    ("[recipe]\nkind = []", "recipe.kind: no such field"),
    ("[recording]\ndisk = 1", "recording.disk: no such field"),
    ('["re cipe"]', "'re cipe': no such field"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text for text, _ in BAD])
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        _recipe(text)
    assert message in str(caught.value)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RecipeError) as caught:
        _recipe('[recipe]\nbatch_size = "x"\nepoch = 3\n[recipe.objective]\nkind = "x"\n')
    lines = str(caught.value).splitlines()
    assert lines[0].endswith("3 things are wrong:")
    assert {line.split(":")[0].strip() for line in lines[1:]} == {
        "recipe.batch_size",
        "recipe.epoch",
        "recipe.objective.kind",
    }
