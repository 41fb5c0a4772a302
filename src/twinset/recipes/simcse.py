"""Unsupervised SimCSE: a text and the same text under another dropout mask are a pair.

Gao, Yao and Chen 2021, "SimCSE: Simple Contrastive Learning of Sentence Embeddings" (EMNLP).
"""

from __future__ import annotations

from twinset.objectives import InfoNCE
from twinset.recipes.setting import Setting, checked
from twinset.training import AdamW, Recipe, Schedule, Select
from twinset.views import DropoutTwice


def simcse(setting: Setting = "mini") -> Recipe:
    """`mini`: for the built-in encoder. `paper`: for bert-base-uncased, as the paper trained it."""
    checked(setting)
    return _paper() if setting == "paper" else _mini()


def _mini() -> Recipe:
    """Ours: larger steps than BERT's, chosen with two seeds on STS-B's development pairs (RESULTS.md)."""
    return Recipe(
        views=DropoutTwice(),
        objective=InfoNCE(temperature=0.05),
        batch_size=128,
        learning_rate=1e-4,
        epochs=2,
        max_length=64,
        training_pooling="mean",
        evaluation_pooling="mean",
        select=Select(every=40),  # it learns most in the first hundred updates, and then forgets
    )


def _paper() -> Recipe:
    """The paper's numbers for BERT-base. It trains the [CLS] vector through one more dense layer, which is
    thrown away afterwards; that layer is not built here, so [CLS] itself is trained and used."""
    return Recipe(
        views=DropoutTwice(),  # dropout at the model's own rate of 0.1 is all that tells the two apart
        objective=InfoNCE(
            temperature=0.05,
            directions="one",
            mask_duplicates=False,  # the formula takes equal texts for negatives, too
        ),
        batch_size=64,
        learning_rate=3e-5,
        epochs=1,  # over a million sentences of Wikipedia
        max_length=32,
        training_pooling="cls",
        evaluation_pooling="cls",
        optimizer=AdamW(weight_decay=0),  # the default of the trainer that the authors used
        schedule=Schedule(warmup=0, decay="linear"),
        select=Select(every=125, metric="spearman", keep="best"),  # on the development pairs of STS-B
    )
