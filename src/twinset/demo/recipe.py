"""How the demo learns the manuals: InfoNCE both ways between the two sides of each pair.

All of it was chosen on the dev package alone (docs/decisions/0008-the-demo.md), for three minutes of
training on two cores.
"""

from __future__ import annotations

from twinset.objectives import InfoNCE
from twinset.training import Recipe, Select
from twinset.views import AsGiven


def manuals_recipe() -> Recipe:
    """A pair goes by once or twice, so dropout would only slow it down."""
    return Recipe(
        views=AsGiven(),
        objective=InfoNCE(temperature=0.05, directions="both"),
        select=Select(keep="last"),
        batch_size=64,
        learning_rate=4e-4,
        steps=750,
        max_length=64,
        dropout=0,
    )
