"""`twinset encode`: lines in, vectors out, in constant memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twinset.cli.model import BackendName, ModelName, load_model
from twinset.cli.output import check_target, say, show, show_json, watched_by_a_person
from twinset.errors import DataError, RequestError

if TYPE_CHECKING:
    from twinset.encoder.quantize import Output

_PRECISIONS = ("auto", "fp32", "bf16")


def encode(  # noqa: PLR0913 - one argument for each option of the command
    model: ModelName,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A text a line, or a column of texts; -: stdin.")
    ] = "-",
    *,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="A .npy file: a row for each text.")
    ],
    role: Annotated[str | None, typer.Option(help="query or document: the prompt put in front.")] = None,
    column: Annotated[str | None, typer.Option(help="The column of texts in FILE.")] = None,
    precision: Annotated[str, typer.Option(help="What to compute in: auto, fp32 or bf16.")] = "auto",
    output: Annotated[
        str, typer.Option(metavar="KIND", help="What to write: fp32, int8, or binary (a bit a number).")
    ] = "fp32",
    processes: Annotated[
        int, typer.Option(min=1, help="How many work side by side; each takes seconds to start.")
    ] = 1,
    batch_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens that go through at once.")] = None,
    backend: BackendName = "torch",
    normalize: Annotated[bool, typer.Option("--normalize", help="Vectors of length 1.")] = False,
    max_length: Annotated[int | None, typer.Option(min=1, help="Tokens a text is cut to.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Turn texts into vectors, in a .npy file.

    twinset encode my-encoder < lines.txt -o out.npy
    """
    from twinset.encoder import Engine

    check_target(out)
    if precision not in _PRECISIONS:
        raise RequestError(f"--precision: {precision!r} is none of {', '.join(_PRECISIONS)}")
    kind = _output(output)
    texts, notes = _texts(file, column)
    encoder = load_model(model, max_length=max_length, backend=backend)
    rows = encoder.encode_file(
        texts,
        out,
        role=role,
        normalize=True if normalize else None,
        precision=precision,
        output=kind,
        engine=Engine(processes=processes, batch_tokens=batch_tokens),
        progress=watched_by_a_person(),
    )
    for note in notes:
        say(note)
    if json:
        facts = {"rows": rows, "dimension": encoder.dimension, "output": kind, "notes": notes}
        show_json({"file": str(out), "model": encoder.name, **facts})
    else:
        show(f"{out}: {rows:,} vectors of {encoder.dimension}")


def _output(name: str) -> Output:
    from twinset.encoder.quantize import OUTPUTS

    for known in OUTPUTS:
        if known == name:
            return known
    raise RequestError(f"--output: {name!r} is none of {', '.join(OUTPUTS)}")


def _texts(file: str, column: str | None) -> tuple[Iterable[str] | Path, list[str]]:
    """What to encode, and what was left out. Lines keep their places: an empty one is a row, too."""
    if file == "-":
        return _stdin_lines(), []
    path = Path(file)
    if column is None and path.suffix.lower() not in (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".gz"):
        if path.is_dir() or not path.exists():
            from twinset.data.files import check_file

            check_file(path)
        return path, []
    from twinset.data import read_sentences

    read = read_sentences(path, columns=column)
    return read.columns[0], list(read.notes)


def _stdin_lines() -> Iterator[str]:
    if sys.stdin.isatty():
        say("One text a line; end with Ctrl-D.")
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield line.rstrip(b"\r\n").decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"stdin, line {number}: byte {error.start + 1} is not UTF-8") from error
