"""Where a measurement was made, in a few words."""

from __future__ import annotations

import torch

from twinset.training.environment import environment


def machine(device: torch.device) -> dict[str, object]:
    """Processor or accelerator, cores, memory, and the library that did the sums."""
    known = environment(device, "", 0)
    return {
        "device": known["device"] if device.type == "cuda" else known["processor"],
        "cores": known["cores"],
        "memory GiB": known["memory_gib"],
        "torch": known["packages"]["torch"],
    }
