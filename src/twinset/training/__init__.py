"""The loop, and what it needs: recipe, steps, schedule, checkpoint, journal."""

from __future__ import annotations

from twinset.training.lagged import Lagged
from twinset.training.loop import Run, Watch, train
from twinset.training.optimizer import AdamW
from twinset.training.recipe import Recipe
from twinset.training.record import Recording
from twinset.training.schedule import Schedule
from twinset.training.select import Select

__all__ = ["AdamW", "Lagged", "Recipe", "Recording", "Run", "Schedule", "Select", "Watch", "train"]
