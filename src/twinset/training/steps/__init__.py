"""Ways to get an objective's gradient into the parameters: plain, cached, adversarial.

A second encoder is no step of its own: a scene names an embedder for each look.
"""

from __future__ import annotations

from twinset.training.steps.adversarial import Adversarial
from twinset.training.steps.cached import Cached
from twinset.training.steps.plain import Plain
from twinset.training.steps.scene import Outcome, Scene, Step

AnyStep = Plain | Cached | Adversarial

__all__ = ["Adversarial", "AnyStep", "Cached", "Outcome", "Plain", "Scene", "Step"]
