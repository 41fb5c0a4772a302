"""How a measurement is kept: what, when, where, by which command and commit."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")


def parser(about: str | None) -> argparse.ArgumentParser:
    """A benchmark's options, with the two that every one has: --json FILE and --keep."""
    made = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    made.add_argument("--json", type=Path, metavar="FILE", help="write the result here")
    made.add_argument("--keep", action="store_true", help="write it, dated, to benchmarks/results")
    return made


def machine() -> dict[str, object]:
    """Processor or accelerator, cores, memory, and the library that does the sums."""
    import torch

    from twinset.training.environment import environment

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    known = environment(device, "", 0)
    return {
        "device": known["device"] if device.type == "cuda" else known["processor"],
        "cores": known["cores"],
        "memory GiB": known["memory_gib"],
        "torch": known["packages"]["torch"],
    }


def keep(name: str, found: Mapping[str, Any], given: argparse.Namespace) -> None:
    """Write the record where the options say."""
    record = {
        "benchmark": name,
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "commit": _commit(),
        "command": f"python -m benchmarks {name.removesuffix('_screen')} {_said(given)}".strip(),
        "machine": machine(),
        **found,
    }
    content = json.dumps(record, indent=1) + "\n"
    if given.json is not None:
        given.json.write_text(content, encoding="utf-8")
    if given.keep:
        RESULTS.mkdir(exist_ok=True)
        file = RESULTS / f"{record['date']}-{name.replace('_', '-')}.json"
        file.write_text(content, encoding="utf-8")
        sys.stderr.write(f"kept: {file}\n")


def _said(given: argparse.Namespace) -> str:
    """The options that decide the figures, with DIR for folders of this machine."""
    words: list[str] = []
    for name, value in vars(given).items():
        if name in {"json", "keep"} or value is None or value is False:
            continue
        shown = "DIR" if isinstance(value, Path) else value
        words += [f"--{name.replace('_', '-')}"]
        if value is not True:
            listed = shown if isinstance(shown, list) else [shown]
            words += [shlex.quote(str(each)) for each in listed]
    return " ".join(words)


def _commit() -> str | None:
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],
        cwd=RESULTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or None
