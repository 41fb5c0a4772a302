"""Encoding against sentence-transformers on all of its processor backends: sentences a second, in turns.

Each system encodes the same texts from the same folder of weights, at its defaults but for what its name
says; tokenising is included, reading models and texts is not. `off`: the largest difference of any number
of any vector to sentence-transformers' default in fp32; `cosine`: the smallest of any text.

    make bench-peers
    python -m benchmarks encoding_speed --data DIR --keep

sentence-transformers' backends want other versions of transformers than ours, and of itself for ONNX: the
record says which. Ours through a graph is left out where twinset cannot export to it here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from benchmarks import record
from benchmarks.rig import encoders, environments, options, speeds, texts
from benchmarks.rig.environments import Peer
from benchmarks.rig.turns import System, Worker, alternate, without_place, working

REPEATS = 5
REFERENCE = "sentence-transformers, torch fp32"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One encoder on `count` texts of one length (None: sentences as they are)."""

    name: str
    encoder: str
    tokens: int | None
    count: int

    @property
    def max_length(self) -> int:
        """Tokens that every system sees at most."""
        return self.tokens or 128


CASES = (
    Case(name="mini, sentences", encoder="mini", tokens=None, count=1500),
    Case(name="mini, 64 tokens", encoder="mini", tokens=64, count=400),
    Case(name="MiniLM, sentences", encoder="minilm", tokens=None, count=800),
    Case(name="MiniLM, 64 tokens", encoder="minilm", tokens=64, count=360),
    Case(name="MiniLM, 256 tokens", encoder="minilm", tokens=256, count=96),
)
QUICK_COUNT = 24


class Folders:
    """Where the encoders lie: as they are, and exported by us and by the peer; made when first asked for."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.left_out: dict[str, str] = {}

    def plain(self, encoder: str) -> Path:
        """Weights that everyone reads."""
        return encoders.folder(encoder, self.place)

    def ours(self, encoder: str, backend: Literal["onnx", "openvino"]) -> Path | None:
        """What `twinset export` writes; None where it cannot."""
        target = self.place / f"{encoder}-ours-{backend}"
        if not target.exists():
            command = [sys.executable, "-m", "twinset", "export", str(self.plain(encoder))]
            told = subprocess.run(
                [*command, "--to", backend, "-o", str(target)], capture_output=True, text=True, check=False
            )
            if told.returncode != 0:
                last = (told.stderr.strip().splitlines() or ["no word"])[-1]
                self.left_out[f"twinset through {backend}"] = without_place(last)
                return None
        return target

    def theirs(self, encoder: str, backend: Literal["onnx", "openvino"]) -> Path:
        """What sentence-transformers exports."""
        target = self.place / f"{encoder}-theirs-{backend}"
        if not target.exists():
            one = System(
                name=f"export to {backend}",
                python=environments.python_of(backend),
                module="benchmarks.systems.export_theirs",
                settings={"backend": backend},
            )
            with working([one], {}) as workers:
                workers[one.name].go({"source": str(self.plain(encoder)), "target": str(target)})
        return target


def systems(case: Case, settings: dict[str, Any], folders: Folders) -> list[System]:
    """All of them, each prepared with the case's texts."""
    plain = str(folders.plain(case.encoder))

    def ours(name: str, **own: str) -> System:
        whole = {"folder": plain, **settings, **own}
        graph = "backend" in own
        return System(
            name=name,
            python=environments.OURS,
            module="benchmarks.systems.encode_ours",
            settings=whole,
            optional=graph,
        )

    def theirs(name: str, peer: Peer, **own: str) -> System:
        whole = {"folder": plain, **settings, **own}
        return System(
            name=name,
            python=environments.python_of(peer),
            module="benchmarks.systems.encode_theirs",
            settings=whole,
        )

    found = [ours("twinset, as it comes"), ours("twinset, fp32", precision="fp32")]
    through = {backend: folders.ours(case.encoder, backend) for backend in ("onnx", "openvino")}
    if (folder := through["onnx"]) is not None:
        found.append(ours("twinset, ONNX", folder=str(folder), backend="onnx"))
    if (folder := through["openvino"]) is not None:
        found += [
            ours("twinset, OpenVINO", folder=str(folder), backend="openvino"),
            ours("twinset, OpenVINO fp32", folder=str(folder), backend="openvino", precision="fp32"),
        ]
    onnx = {"folder": str(folders.theirs(case.encoder, "onnx")), "backend": "onnx"}
    vino = {"folder": str(folders.theirs(case.encoder, "openvino")), "backend": "openvino"}
    name = "sentence-transformers"
    return [
        *found,
        theirs(REFERENCE, "torch"),
        theirs(f"{name}, torch bf16", "torch", dtype="bfloat16"),
        theirs(f"{name}, ONNX", "onnx", **onnx, file="model.onnx"),
        theirs(f"{name}, ONNX O3", "onnx", **onnx, file="model_O3.onnx"),
        theirs(f"{name}, ONNX int8", "onnx", **onnx, file="model_qint8_avx512_vnni.onnx"),
        theirs(f"{name}, OpenVINO", "openvino", **vino, file="openvino_model.xml"),
    ]


def apart(workers: dict[str, Worker], place: Path) -> dict[str, dict[str, float]]:
    """How far everyone's vectors are from the reference's. The first call of each, and its warming up."""
    vectors: dict[str, np.ndarray[Any, Any]] = {}
    for number, (name, worker) in enumerate(workers.items()):
        file = place / f"vectors-{number}.npy"
        worker.go({"save": str(file)})
        vectors[name] = np.load(file).astype(np.float64)
    expected = vectors[REFERENCE]
    return {name: distance(found, expected) for name, found in vectors.items()}


def distance(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> dict[str, float]:
    """The largest difference of any number, and the smallest cosine of any row."""
    lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(expected, axis=1)
    cosines = (found * expected).sum(axis=1) / lengths
    return {"off": float(np.abs(found - expected).max()), "cosine": float(cosines.min())}


def measured(case: Case, given: argparse.Namespace, folders: Folders) -> dict[str, Any]:
    """One case: its systems, row by row."""
    encoder = encoders.load(case.encoder, max_length=case.max_length)
    count = QUICK_COUNT if given.quick else case.count
    read = texts.of_length(given.data, case.tokens, count, encoder)
    settings = {
        "texts": texts.written(read, folders.place / "texts.json"),
        "max_length": case.max_length,
    }
    left_out: dict[str, str] = {}
    with working(systems(case, settings, folders), left_out) as workers:
        distances = apart(workers, folders.place)
        answers = alternate(workers, given.repeats)
    rows = [row | distances[row["system"]] for row in speeds.rows(answers, count, REFERENCE)]
    return {
        "case": case.name,
        "encoder": encoders.NAMES[case.encoder],
        "sentences": count,
        "tokens": texts.mean_tokens(read, encoder),
        "max_length": case.max_length,
        "rows": rows,
        "left_out": {**folders.left_out, **left_out},
    }


def main(arguments: list[str]) -> None:
    """The command line."""
    parser = options.parser(__doc__, repeats=REPEATS)
    names = [case.name for case in CASES]
    parser.add_argument("--cases", nargs="+", choices=names, metavar="CASE", help=f"some of {names}")
    given = options.parsed(parser, arguments, repeats=REPEATS)
    chosen = [case for case in CASES if case.name in (given.cases or names)]
    chosen = chosen[:1] if given.quick and not given.cases else chosen
    cases: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        folders = Folders(Path(place))
        for case in chosen:
            found = measured(case, given, folders)
            cases.append(found)
            print(f"{found['case']}: {found['sentences']} texts of {found['tokens']} tokens", flush=True)
            for row in found["rows"]:
                print(f"{speeds.line(row)}  off {row['off']:.1e}, cosine {row['cosine']:.5f}", flush=True)
            for name, why in found["left_out"].items():
                print(f"  left out: {name}: {why}", flush=True)
    peers = {peer: environments.versions(peer) for peer in ("torch", "onnx", "openvino")}
    record.keep("encoding_speed", {"peers": peers, "cases": cases}, given)
