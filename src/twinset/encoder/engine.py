"""How an encoder goes through many texts: how much at once, in how many processes."""

from __future__ import annotations

from dataclasses import dataclass

from twinset.errors import RequestError


@dataclass(frozen=True, kw_only=True)
class Engine:
    """batch_tokens: tokens that go through the model at once, padding included (None: what suits the device);
    fewer by itself where memory runs out. processes: how many work side by side. On a processor they share
    its cores; of several accelerators each gets its own. A process takes some seconds to start.
    """

    batch_tokens: int | None = None
    processes: int = 1

    def __post_init__(self) -> None:
        if self.batch_tokens is not None and self.batch_tokens < 1:
            raise RequestError(f"batch_tokens: {self.batch_tokens} is less than one token")
        if self.processes < 1:
            raise RequestError(f"processes: {self.processes} is less than one")
