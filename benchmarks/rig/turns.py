"""Systems that are compared take turns: A B C, B C A, C A B, each in a process that was started once.

A machine's speed drifts while a measurement goes on. In turns all systems see the same drift, and a ratio
is taken within one round.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REST = 0.3
"""Seconds between turns: threads of the one before spin a while before they sleep."""

_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "PYTHONWARNINGS": "ignore",
}


def without_place(words: str) -> str:
    """What a program said, with no path of this machine in it: it goes into the record."""
    for place in (str(ROOT), tempfile.gettempdir(), str(Path.home())):
        words = words.replace(f"{place}/", "")
    return words


class FailedError(SystemExit):
    """A worker that could not do its work; the message is what it said. It ends the benchmark unless the
    system was optional."""


@dataclass(frozen=True, kw_only=True)
class System:
    """Something to be measured. python: the interpreter of its environment; module: one of the files of
    `benchmarks.systems`; settings: what that is prepared with. optional: left out where it cannot be had."""

    name: str
    python: Path
    module: str
    settings: Mapping[str, Any]
    optional: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)


class Worker:
    """A system in its own process."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed by close()
        try:
            self._process = subprocess.Popen(
                [str(system.python), "-m", "benchmarks.rig.worker", system.module],
                cwd=ROOT,
                env={**os.environ, **_QUIET, **system.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
            )
        except OSError as error:
            self._log.close()
            raise FailedError(without_place(f"{system.python}: {error.strerror}")) from error
        self._say(dict(system.settings))

    def ready(self) -> None:
        """Wait until it is prepared."""
        self._hear()

    def go(self, order: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Have it do its work once."""
        self._say(dict(order or {}))
        return self._hear()

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def _say(self, what: Mapping[str, Any]) -> None:
        if self._process.stdin is None:
            return
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # it died: the answer that does not come says so, with its last words

    def _hear(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        found: dict[str, Any] = json.loads(line) if line else {"error": f"ended. {self._last_words()}"}
        if "error" in found:
            raise FailedError(f"{self.system.name}: {without_place(found['error'])}")
        return found

    def _last_words(self) -> str:
        self._log.seek(0)
        return " / ".join(self._log.read().strip().splitlines()[-3:])


@contextmanager
def working(systems: Sequence[System], left_out: dict[str, str]) -> Generator[dict[str, Worker]]:
    """A ready worker for every system. An optional one that cannot be had goes to `left_out`, with why."""
    workers: dict[str, Worker] = {}
    try:
        for pair in _pairs(systems):  # two at a time prepare: more would wait for one another's cores
            started: dict[str, Worker] = {}
            for system in pair:
                with _leaving_out(system, left_out):
                    started[system.name] = workers[system.name] = Worker(system)
            for name, worker in started.items():
                with _leaving_out(worker.system, left_out):
                    worker.ready()
                if name in left_out:
                    workers.pop(name).close()
        yield workers
    finally:
        for worker in workers.values():
            worker.close()


def alternate(
    workers: Mapping[str, Worker], repeats: int, *, rest: float = REST
) -> dict[str, list[dict[str, Any]]]:
    """Every worker's answers, round by round; each round begins with another one."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in workers}
    names = list(workers)
    for number in range(repeats):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            time.sleep(rest)
            found[name].append(workers[name].go({"round": number}))
    return found


def alternate_alone(systems: Sequence[System], repeats: int) -> dict[str, list[dict[str, Any]]]:
    """The same with one process at a time, started for its turn and ended after it."""
    found: dict[str, list[dict[str, Any]]] = {system.name: [] for system in systems}
    for number in range(repeats):
        turn = number % len(systems)
        for system in [*systems[turn:], *systems[:turn]]:
            with working([system], {}) as workers:
                found[system.name].append(workers[system.name].go({"round": number}))
    return found


def _pairs(systems: Sequence[System]) -> list[Sequence[System]]:
    return [systems[start : start + 2] for start in range(0, len(systems), 2)]


@contextmanager
def _leaving_out(system: System, left_out: dict[str, str]) -> Generator[None]:
    try:
        yield
    except FailedError as error:
        if not system.optional:
            raise
        left_out[system.name] = str(error).removeprefix(f"{system.name}: ")
