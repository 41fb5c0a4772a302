"""The end of a recorded run: its model, its scores, and nothing that only a resumed run needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twinset.encoder.card import Card
from twinset.training.learner import Learner
from twinset.training.recipe import described
from twinset.training.record import SCORES, Record

if TYPE_CHECKING:
    from twinset.training.loop import Run


def store(run: Run, learner: Learner, record: Record) -> None:
    """Write the run's folder. Killed at any moment in here, the run can be resumed and ends the same."""
    model = record.make_way()
    if model is None:
        return
    run.encoder.save_pretrained(model, card=_card(run, learner))
    looks = [vars(look) for look in run.looks]
    best = None if run.best is None else vars(run.best)
    record.put_json(SCORES, {"watch": looks, "best": best, "updates": run.updates})
    record.finish()


def _card(run: Run, learner: Learner) -> Card:
    corpus = learner.corpus
    return Card(
        base_model=learner.encoder.name,
        data=f"{len(corpus):,} rows of {len(corpus.columns)} text column(s)",
        recipe=described(learner.recipe),
        scores={} if run.best is None else dict(run.best.scores),
    )
