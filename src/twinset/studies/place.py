"""A study's folder: what was resolved when it began, and the tables that it ends with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from twinset.errors import DataError, RequestError
from twinset.recipes import parse_run_file, to_toml
from twinset.studies.design import Study, Variant
from twinset.studies.machine import Share
from twinset.studies.settings import Settings
from twinset.studies.tested import whole_paths
from twinset.training.disk import Disk

STUDY = "study.json"
RESULTS = "results.json"
SCREENED = "screened.json"


@dataclass(frozen=True, kw_only=True)
class Begun:
    """What a study's folder says of how the study began."""

    share: Share
    record: Mapping[str, Any]


def begun(folder: Path) -> Begun | None:
    """None: no study was begun here."""
    path = folder / STUDY
    if not path.is_file():
        return None
    record = read_json(path)
    try:
        share = Share(processes=int(record["processes"]), threads=int(record["threads"]))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: is not the record of a study: {error}; name another folder") from error
    return Begun(share=share, record=record)


def settled(study: Study, folder: Path, chosen: Share) -> Share:
    """The processes and threads of the study: those it began with. Other threads would be other bytes."""
    before = begun(folder)
    if before is None:
        return chosen
    threads, wanted = before.share.threads, study.settings.threads
    if wanted not in ("auto", threads):
        raise RequestError(
            f"threads: {wanted}, but the study in {folder} began with {threads}, and other threads give "
            "other numbers; leave it out, or name another folder (--out)"
        )
    processes = before.share.processes if study.settings.processes == "auto" else study.settings.processes
    return Share(processes=processes, threads=threads)


def write_study(study: Study, folder: Path, chosen: Share) -> None:
    """study.json: everything that was decided, and where."""
    record = {
        "name": study.name,
        "baseline": study.baseline,
        "settings": {**asdict(study.settings), "test": asdict(whole_paths(study.settings.test))},
        "processes": chosen.processes,
        "threads": chosen.threads,
        "environment": _environment(),
        "variants": {
            each.name: {
                "folder": each.folder,
                "family": each.family,
                "tried": each.tried,
                "run": to_toml(each.seeded(study.settings.numbers[0])),
            }
            for each in study.variants
        },
    }
    put_json(folder / STUDY, record)


def remembered(folder: Path) -> tuple[Study, Share]:
    """The study that a folder holds, as it was resolved when it was last called."""
    before = begun(folder)
    if before is None:
        what = (
            "no such folder" if not folder.exists() else f"has no {STUDY}, so it is not the folder of a study"
        )
        raise RequestError(f"{folder}: {what}")
    record = before.record
    try:
        settings = TypeAdapter(Settings).validate_python(record["settings"])
        variants = tuple(
            Variant(
                name=name,
                run=parse_run_file(each["run"], source=f"{folder / STUDY}, {name}"),
                family=str(each["family"]),
                tried=int(each["tried"]),
            )
            for name, each in record["variants"].items()
        )
        study = Study(
            name=str(record["name"]),
            variants=variants,
            baseline=str(record["baseline"]),
            settings=settings,
        )
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        raise DataError(
            f"{folder / STUDY}: is not the record of a study; call twinset study again"
        ) from error
    return study, before.share


def put_json(path: Path, content: object) -> None:
    """Whole or not at all."""
    Disk().put(path, (json.dumps(content, indent=2, allow_nan=False) + "\n").encode())


def read_json(path: Path) -> Mapping[str, Any]:
    """A file that `put_json` wrote."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read: {error}; remove it, and call twinset study again"
        ) from error
    if not isinstance(content, dict):
        raise DataError(f"{path}: is no JSON object; remove it, and call twinset study again")
    return cast("Mapping[str, Any]", content)


def _environment() -> dict[str, Any]:
    import torch

    from twinset.training.environment import environment

    whole = environment(torch.device("cpu"), "", 0)
    return {
        name: whole[name] for name in ("python", "packages", "system", "processor", "cores", "memory_gib")
    }
