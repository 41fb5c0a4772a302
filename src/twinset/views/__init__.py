"""Two looks at one text. `AnyView` changes one look; `AnyViews` makes a batch's looks."""

from __future__ import annotations

from twinset.views.as_given import AsGiven
from twinset.views.compose import Compose
from twinset.views.dropout_twice import DropoutTwice
from twinset.views.embedding_dropout import EmbeddingDropout
from twinset.views.feature_cutoff import FeatureCutoff
from twinset.views.pair import Pair
from twinset.views.token_cutoff import TokenCutoff
from twinset.views.token_shuffle import TokenShuffle
from twinset.views.unchanged import Unchanged

AnyView = Unchanged | TokenShuffle | TokenCutoff | FeatureCutoff | EmbeddingDropout | Compose
"""Every operator a run file may name. A new one is added here, by one word."""

AnyViews = DropoutTwice | Pair | AsGiven
"""Every way to make a batch's looks."""

__all__ = [
    "AnyView",
    "AnyViews",
    "AsGiven",
    "Compose",
    "DropoutTwice",
    "EmbeddingDropout",
    "FeatureCutoff",
    "Pair",
    "TokenCutoff",
    "TokenShuffle",
    "Unchanged",
]
