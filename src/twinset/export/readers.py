"""What else a folder with a graph needs, so that sentence-transformers runs the graph, too."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from twinset.encoder.backends import GraphBackend
from twinset.encoder.pooling import Pooling, layers_needed

_log = logging.getLogger(__name__)
_SETTINGS = "sentence_bert_config.json"


def suit_readers(folder: Path, backend: GraphBackend, pooling: Pooling) -> None:
    """Take away what stops them, and say what they cannot do."""
    file = folder / _SETTINGS
    settings = json.loads(file.read_text(encoding="utf-8"))
    # Arguments for a torch model, which a runtime's model refuses. Without them, sentence-transformers makes
    # a pooler where it opens the weights, and does not use it.
    settings.pop("model_args", None)
    file.write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if layers_needed(pooling) == (-1,):
        return
    message = (
        f"sentence-transformers sees only the last layer of a graph: with backend={backend!r} it pools that "
        f"by the mean, not by {pooling}, and its vectors differ from twinset's"
    )
    _log.warning(message)
    with (folder / "README.md").open("a", encoding="utf-8") as card:
        card.write(f"\n**Note.** {message}.\n")
