"""Breaks each mechanism once and sees a test fail.

    python tests/mutants/run.py                     every mutant of the lists (*.toml) in this folder
    python tests/mutants/run.py queue adver         those whose name or file contains one of these words
    python tests/mutants/run.py --list data.toml    those of one list only

A mutant is one small change to one file of `src/twinset` and the test that must notice it. The tests are
seen to pass first; then each mutant is put into a copy of the tree and its test must fail: a failed
assertion or an error inside the test, not a test that cannot be found. Exit code 1 if any mutant survives.

Each test runs in a process forked from one that has torch and transformers loaded: that, and not the tests,
is what would take the time.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import multiprocessing
import os
import queue
import shutil
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.context import BaseContext

ROOT = Path(__file__).resolve().parents[2]
LISTS = tuple(sorted(Path(__file__).parent.glob("*.toml")))
PATIENCE = 180.0  # seconds until a test counts as hung

_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_LOADED = (
    "hypothesis",
    "pytest",
    "pyarrow.parquet",
    "scipy.stats",
    "torch",
    "transformers",
    *(f"transformers.models.{name}.modeling_{name}" for name in ("bert", "roberta", "modernbert")),
)
_WRONG_COPY = 99


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """`old` stands once in `file` (below src/twinset) and becomes `new`; `test` must then fail."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def fault(self) -> str | None:
        """Why this mutant cannot be tried as it is written."""
        path = ROOT / "src" / "twinset" / self.file
        if not path.is_file():
            return f"there is no src/twinset/{self.file}"
        count = path.read_text(encoding="utf-8").count(self.old)
        if count != 1:
            return f"its old text stands {count} times in {self.file}, not once"
        if not (ROOT / self.test.split("::")[0]).is_file():
            return f"there is no {self.test.split('::')[0]}"
        return "old and new are the same" if self.old == self.new else None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """`word` is "caught" if all is well."""

    mutant: Mutant
    word: str
    seconds: float


def mutants(words: Sequence[str] = (), lists: Sequence[Path] = LISTS) -> list[Mutant]:
    """The mutants of the lists, or those that one of the words names; no two may have one name."""
    found = [mutant for path in lists for mutant in _read(path)]
    where = ", ".join(path.name for path in lists)
    names = [mutant.name for mutant in found]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise SystemExit(f"{where}: two mutants are called {', '.join(sorted(doubled))}")
    chosen = [each for each in found if not words or any(w in f"{each.name} {each.file}" for w in words)]
    if not chosen:
        raise SystemExit(f"{where}: no mutant has {' or '.join(words)} in its name or file")
    return chosen


def _read(path: Path) -> list[Mutant]:
    return [Mutant(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]]


def copy_tree(folder: Path) -> Path:
    """What the tests need, without compiled files: a mutant as old and as long as the original would be
    taken for it."""
    folder.mkdir()
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", folder)
    return folder


def run_tests(context: BaseContext, folder: Path, tests: list[str]) -> tuple[int | None, str]:
    """Pytest's exit code in that copy (None: hung) and what it wrote."""
    patience = PATIENCE + len(tests)  # all of them together take longer than one
    log = folder / "log.txt"
    process = context.Process(target=_pytest, args=(str(folder), tests, str(log)))
    process.start()
    process.join(patience)
    if process.is_alive():
        process.kill()
        process.join()
        return None, "no answer"
    return process.exitcode, log.read_text(encoding="utf-8", errors="replace")


def _pytest(folder: str, tests: list[str], log: str) -> None:
    source = str(Path(folder) / "src")
    sys.dont_write_bytecode = True
    sys.path.insert(0, source)
    os.environ.update(PYTHONPATH=source, PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    gc.freeze()  # pytest collects garbage twice: not through all that was loaded before it
    os.chdir(folder)
    with Path(log).open("w", encoding="utf-8") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    spec = importlib.util.find_spec("twinset")
    if spec is None or not str((spec.submodule_search_locations or [""])[0]).startswith(folder):
        sys.exit(_WRONG_COPY)
    sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--rootdir", folder, *tests]))


def attempt(context: BaseContext, copies: queue.Queue[Path], mutant: Mutant) -> Verdict:
    """Put the mutant into a free copy, run its test, take it out again."""
    began = time.perf_counter()
    folder = copies.get()
    path = folder / "src" / "twinset" / mutant.file
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(original.replace(mutant.old, mutant.new), encoding="utf-8")
        code, _ = run_tests(context, folder, [mutant.test])
    finally:
        path.write_text(original, encoding="utf-8")
        copies.put(folder)
    words = {pytest.ExitCode.OK: "SURVIVED", pytest.ExitCode.TESTS_FAILED: "caught", None: "HUNG"}
    word = words.get(code, f"NOT RUN (exit code {code})")
    return Verdict(mutant=mutant, word=word, seconds=time.perf_counter() - began)


def main(arguments: list[str] | None = None) -> int:
    """Try every mutant; 0 if all were caught."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only mutants with one of these in their name or file")
    parser.add_argument("--workers", type=int, default=2, help="tests that run at once (2)")
    parser.add_argument("--list", type=Path, action="append", help="this list only (may be repeated)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts here")
    asked = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True, markup=False)
    chosen = mutants(asked.words, asked.list or LISTS)
    faults = [f"{each.name}: {fault}" for each in chosen if (fault := each.fault()) is not None]
    if faults:
        console.print("\n".join(faults))
        return 1
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    context = multiprocessing.get_context(_METHOD)
    context.set_forkserver_preload(list(_LOADED))
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        folders = [copy_tree(Path(place).resolve() / str(number)) for number in range(asked.workers)]
        tests = sorted({mutant.test for mutant in chosen})
        code, said = run_tests(context, folders[0], tests)
        if code != pytest.ExitCode.OK:
            console.print(f"{said}\nThe named tests must pass before anything is broken (exit code {code}).")
            return 1
        console.print(f"{len(tests)} tests pass on the untouched tree. {len(chosen)} mutants:")
        verdicts = _try_all(context, folders, chosen, console)
    if asked.json is not None:
        rows = [{**asdict(verdict.mutant), "word": verdict.word} for verdict in verdicts]
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    survivors = [verdict.mutant.name for verdict in verdicts if verdict.word != "caught"]
    console.print(f"{len(verdicts) - len(survivors)} of {len(verdicts)} mutants caught.")
    for name in survivors:
        console.print(f"Not caught: {name}")
    return 1 if survivors else 0


def _try_all(
    context: BaseContext, folders: list[Path], chosen: list[Mutant], console: Console
) -> list[Verdict]:
    copies: queue.Queue[Path] = queue.Queue()
    for folder in folders:
        copies.put(folder)
    verdicts: list[Verdict] = []
    width = max(len(mutant.name) for mutant in chosen)
    with ThreadPoolExecutor(len(folders)) as pool:
        for verdict in pool.map(lambda mutant: attempt(context, copies, mutant), chosen):
            verdicts.append(verdict)
            mutant = verdict.mutant
            console.print(f"{verdict.word:9} {verdict.seconds:5.1f} s  {mutant.name:{width}}  {mutant.file}")
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
