"""Any recipe at all, for hypothesis: every part, nested, with numbers in their ranges."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from twinset import batching, negatives, objectives, views
from twinset.encoder.pooling import POOLINGS
from twinset.recipes import RunFile, TrainingData
from twinset.training import AdamW, Lagged, Recipe, Recording, Schedule, Select
from twinset.training.steps import Adversarial, Cached, Plain

shares = st.floats(0, 1, exclude_max=True)
above_zero = st.floats(1e-12, 1e6)
counts = st.integers(1, 10**6)

rated = [views.TokenCutoff, views.FeatureCutoff]
single_views = st.one_of(
    st.just(views.Unchanged()),
    st.just(views.TokenShuffle()),
    *(st.builds(view, rate=shares) for view in rated),
    st.builds(views.EmbeddingDropout, rate=shares, count=st.sampled_from(["each", "exact"])),
)
any_view = st.recursive(
    single_views,
    lambda inner: st.builds(views.Compose, views=st.lists(inner, max_size=3).map(tuple)),
    max_leaves=4,
)
any_views = st.one_of(
    st.just(views.DropoutTwice()), st.just(views.AsGiven()), st.builds(views.Pair, any_view, any_view)
)
single_objectives = st.one_of(
    st.builds(
        objectives.InfoNCE,
        temperature=above_zero,
        directions=st.sampled_from(["one", "both"]),
        mask_duplicates=st.booleans(),
    ),
    st.builds(
        objectives.NTXent,
        temperature=above_zero,
        reduction=st.sampled_from(["mean", "sum_of_directions"]),
        mask_duplicates=st.booleans(),
    ),
)


def _sums(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    part = st.builds(
        objectives.Weighted,
        objective=inner,
        weight=st.floats(-10, 10),
        views=st.none() | st.lists(st.integers(0, 5), min_size=1, max_size=3).map(tuple),
    )
    return st.builds(objectives.WeightedSum, parts=st.lists(part, min_size=1, max_size=3).map(tuple))


any_objective = st.recursive(single_objectives, _sums, max_leaves=4)
any_step = st.one_of(
    st.just(Plain()),
    st.just(Cached()),
    st.builds(
        Adversarial,
        attack=single_objectives,
        of=st.integers(0, 3),
        size=above_zero,
        scale=st.sampled_from(["raw", "token"]),
        inner=st.sampled_from([Plain(), Cached()]),
    ),
)
any_queue = st.builds(
    negatives.Queue,
    batches=above_zero,
    forgetting=st.floats(1e-6, 1),
    view=st.integers(0, 3),
)
recipes = st.builds(
    Recipe,
    views=any_views,
    objective=any_objective,
    batching=st.one_of(
        st.builds(batching.Random, drop_last=st.booleans()),
        st.builds(batching.SourceOrder, drop_last=st.booleans()),
    ),
    memory=st.none() | any_queue,
    step=any_step,
    optimizer=st.builds(
        AdamW,
        betas=st.tuples(shares, shares),
        eps=above_zero,
        weight_decay=st.floats(0, 10),
        bias_correction=st.booleans(),
    ),
    schedule=st.builds(Schedule, warmup=shares, decay=st.sampled_from(["linear", "cosine", "constant"])),
    select=st.builds(
        Select,
        every=st.none() | counts,
        metric=st.none() | st.text().filter(lambda text: text != "none" and "\0" not in text),
        keep=st.sampled_from(["best", "last"]),
        patience=st.none() | counts,
        pooling=st.sampled_from(["training", "evaluation"]),
    ),
    lagged=st.builds(Lagged, average=shares),
    batch_size=st.integers(2, 10**6),
    learning_rate=above_zero,
    epochs=above_zero,
    steps=st.none() | counts,
    max_length=st.none() | counts,
    training_pooling=st.none() | st.sampled_from(POOLINGS),
    evaluation_pooling=st.none() | st.sampled_from(POOLINGS),
    dropout=st.none() | shares,
    clip=st.none() | above_zero,
    chunk_tokens=st.none() | counts,
    precision=st.sampled_from(["auto", "fp32", "bf16"]),
    compile=st.booleans(),
)
names = st.text(min_size=1, max_size=20).filter(lambda text: text != "none" and "\0" not in text)
run_files = st.builds(
    RunFile,
    encoder=names,
    seed=st.integers(0, 10**9),
    data=st.builds(
        TrainingData,
        train=names,
        kind=st.sampled_from(["auto", "sentences", "pairs", "triples"]),
        columns=st.none() | st.lists(names | st.integers(0, 9), max_size=3).map(tuple),
        roles=st.none() | st.lists(names, max_size=3).map(tuple),
        limit=st.none() | st.integers(2, 10**6),
        dev=st.none() | names,
    ),
    recipe=recipes,
    recording=st.builds(
        Recording, log_every=counts, save_every=counts, tensorboard=st.booleans(), token_cache=names
    ),
)


def comparable(run: RunFile) -> tuple[RunFile, object]:
    """A run file whose disk, which is no setting, is set aside."""
    recording = run.recording
    return replace(run, recording=_RECORDING), (
        recording.log_every,
        recording.save_every,
        recording.tensorboard,
        recording.progress,
        recording.token_cache,
    )


_RECORDING = Recording()
