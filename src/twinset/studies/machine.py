"""How many cells at a time, and how many threads for each: by the cores that there are, and the memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from twinset.encoder.source import MINI, mini_folder
from twinset.studies.design import Study
from twinset.studies.settings import Settings

_PROCESS = 1.2
"""GiB that a process takes before its encoder: the libraries, and a batch on its way."""
_COPIES = 8
"""Times the weights: they, their gradients, two averages, the best ones, and what a checkpoint copies."""
_UNKNOWN = 0.5
"""GiB of weights, of an encoder that is not on the disk yet."""


@dataclass(frozen=True, kw_only=True)
class Share:
    """processes: cells trained at a time. threads: of each."""

    processes: int
    threads: int


def share(study: Study) -> Share:
    """What the study file says; where it says auto, small cells side by side rather than threads that wait
    for one another."""
    settings = study.settings
    cores, cells = physical_cores(), _most_at_once(study)
    processes = settings.processes
    if processes == "auto":
        per_cell = _PROCESS + _COPIES * max(weights_gib(each.run.encoder) for each in study.variants)
        room = int(psutil.virtual_memory().available / 2**30 / per_cell)
        wanted = cores if settings.threads == "auto" else cores // settings.threads
        processes = max(1, min(wanted, cells, room))
        if _has_accelerator():
            processes = 1
    threads = max(1, cores // processes) if settings.threads == "auto" else settings.threads
    return Share(processes=processes, threads=threads)


def physical_cores() -> int:
    """Those that this process may use; two threads of one core do the work of one here."""
    there = psutil.cpu_count(logical=False) or 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there
    return max(1, min(there, allowed))


def weights_gib(encoder: str) -> float:
    """The weights of an encoder in memory, as far as its files tell."""
    folder = mini_folder() if encoder == MINI else Path(encoder).expanduser()
    files = [*folder.glob("*.safetensors"), *folder.glob("*.bin")] if folder.is_dir() else []
    # Half precision on the disk is single precision while it learns.
    return 2 * sum(file.stat().st_size for file in files) / 2**30 or _UNKNOWN


def _most_at_once(study: Study) -> int:
    settings: Settings = study.settings
    return max(len(study.screening), len(study.variants) * len(settings.numbers))


def _has_accelerator() -> bool:
    import torch

    return torch.cuda.is_available()
