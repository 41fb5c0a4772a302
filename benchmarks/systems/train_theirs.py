"""sentence-transformers trains: the same epoch through its trainer, without evaluation or saving.

Its set-up (data set, trainer) is not counted; `trainer.train()` alone is.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
    losses,
)

from benchmarks.rig.worker import Go


def prepare(settings: dict[str, Any]) -> Go:
    """folder, texts, max_length, batch_size; arguments: more for its training arguments; cached: texts in
    a chunk of its cached loss (None: the plain loss); warm: as for ours."""
    model = SentenceTransformer(settings["folder"], device="cpu")
    model.max_seq_length = settings["max_length"]
    start = {name: weight.clone() for name, weight in model.state_dict().items()}
    texts: list[str] = json.loads(Path(settings["texts"]).read_text(encoding="utf-8"))
    loss: Any = losses.MultipleNegativesRankingLoss(model, scale=20.0)
    if settings.get("cached"):
        loss = losses.CachedMultipleNegativesRankingLoss(
            model, scale=20.0, mini_batch_size=settings["cached"]
        )

    def epoch(some: list[str], seed: int) -> dict[str, Any]:
        model.load_state_dict(start)
        with tempfile.TemporaryDirectory() as place:
            trainer = SentenceTransformerTrainer(
                model=model,
                args=arguments(settings, place, seed),
                train_dataset=Dataset.from_dict({"first": some, "second": some}),
                loss=loss,
            )
            spent = clocked(trainer)
            began = time.perf_counter()
            trainer.train()
            seconds = time.perf_counter() - began
        return {"seconds": seconds, "tokenising": spent[0], "updates": trainer.state.global_step}

    if settings.get("warm"):
        epoch(texts[: settings["warm"]], 0)
    return lambda order: epoch(texts, order.get("round", 0))


def arguments(settings: dict[str, Any], place: str, seed: int) -> SentenceTransformerTrainingArguments:
    """Its defaults, but for what the task says and what the settings add."""
    return SentenceTransformerTrainingArguments(
        output_dir=place,
        per_device_train_batch_size=settings["batch_size"],
        num_train_epochs=1,
        learning_rate=1e-4,
        seed=seed,
        use_cpu=True,
        save_strategy="no",
        logging_strategy="no",
        report_to="none",
        disable_tqdm=True,
        **settings.get("arguments", {}),
    )


def clocked(trainer: SentenceTransformerTrainer) -> list[float]:
    """Seconds in which batches are tokenised, where that happens in this process."""
    spent = [0.0]
    collate = trainer.data_collator

    class Timed:
        def __call__(self, features: Any) -> Any:  # noqa: ANN401
            began = time.perf_counter()
            found = collate(features)
            spent[0] += time.perf_counter() - began
            return found

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else as it was
            return getattr(collate, name)

    if not trainer.args.dataloader_num_workers:
        trainer.data_collator = Timed()
    return spent
