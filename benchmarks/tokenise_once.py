"""Tokenising a large corpus in memory, into the token cache, and from it: seconds and memory.

Each in a process of its own. Peak: the most resident memory above what the process had before, of all kinds,
and of memory that is not a file's (the pages of mapped files are given back when others want the room).

    python -m benchmarks tokenise_once --data DIR --texts 300000 --keep
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

from benchmarks import record

CASES = ("in memory", "first time", "second time")


def main(arguments: list[str]) -> int:
    """Exit code 1 if the tokens of any two differ."""
    options = record.parser(__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder with text_en/")
    options.add_argument(
        "--texts", type=int, default=300_000, help="sentences, again from the start past the last"
    )
    options.add_argument(
        "--one", nargs=2, help=argparse.SUPPRESS
    )  # a case and its folder: what a process does
    given = options.parse_args(arguments)
    if given.one is not None:
        print(json.dumps(measure(given.data, given.texts, given.one[1])))
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            words = ["--data", str(given.data), "--texts", str(given.texts)]
            cache = "off" if case == "in memory" else folder
            command = [sys.executable, "-m", "benchmarks", "tokenise_once", *words, "--one", case, cache]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            row = {"case": case, **json.loads(done.stdout.splitlines()[-1])}
            rows.append(row)
            print(
                f"{case:12} {row['wall']:7.2f} s (processor {row['processor']:7.2f} s), peak "
                f"+{row['peak']:.0f} MiB, +{row['peak, not files']:.0f} MiB without files",
                flush=True,
            )
    given.one = None
    record.keep("tokenise_once", {"rows": rows}, given)
    return int(len({row["tokens"] for row in rows}) > 1)


def measure(data: Path, texts: int, cache: str) -> dict[str, Any]:
    """Tokenise and tell; the numbers of equal texts, which training also wants, are left out."""
    import numpy as np

    import twinset as ts
    from twinset.encoder.column import Column
    from twinset.encoder.token_cache import TokenCache
    from twinset.training.fingerprint import hashes

    column = ts.data.read_sentences(data / "text_en" / "wiki_sentences.parquet").columns[0]
    column = column.take(np.arange(texts) % len(column))
    encoder = ts.Encoder.mini()
    wanted = Column(texts=column, tokenizer=encoder.tokenizer, max_length=encoder.max_length)
    began, before = (time.perf_counter(), time.process_time()), memory()
    with Peak() as peak:
        store = wanted.tokenized() if cache == "off" else TokenCache(folder=Path(cache)).tokens(wanted)
    return {
        "texts": len(store),
        "wall": time.perf_counter() - began[0],
        "processor": time.process_time() - began[1],
        "peak": peak.most["VmRSS"] - before["VmRSS"],
        "peak, not files": peak.most["RssAnon"] - before["RssAnon"],
        "tokens": hashes({"tokens": [store.ids, store.starts]})["tokens"],
    }


def memory() -> dict[str, float]:
    """Resident MiB now, of all kinds and of what is not a file's (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {name: int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")}


class Peak:
    """The most memory while in here, looked at fifty times a second."""

    def __enter__(self) -> Self:
        self.most, self._done = memory(), threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            now = memory()
            self.most = {name: max(self.most[name], value) for name, value in now.items()}
