"""`twinset search`: look for yourself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twinset.cli.model import BackendName, ModelName, load_model
from twinset.cli.output import say, show, show_json, watched_by_a_person
from twinset.errors import DataError

if TYPE_CHECKING:
    from twinset.demo.nearest import Searched

_PROMPT = "search> "


def search(
    model: ModelName,
    corpus: Annotated[str, typer.Argument(help="A text a line, or a file with a column of texts.")],
    query: Annotated[str | None, typer.Argument(help="What to look for; without it, you are asked.")] = None,
    *,
    k: Annotated[int, typer.Option("-k", min=1, help="How many to show.")] = 5,
    column: Annotated[str | None, typer.Option(help="The column of texts in CORPUS.")] = None,
    backend: BackendName = "torch",
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Show the texts nearest to a query."""
    from twinset.data import read_sentences
    from twinset.demo.nearest import Searched

    texts = read_sentences(corpus, columns=column)
    for note in texts.notes:
        say(note)
    encoder = load_model(model, backend=backend)
    searched = Searched(encoder, texts.columns[0], progress=watched_by_a_person())
    if query is not None:
        found = _answer(searched, query, k)
        show_json(found) if json else show(_told(found))
        return
    answers = [_shown(_answer(searched, asked, k), json=json) for asked in _asked()]
    if json:
        show_json({"searches": answers})


def _answer(searched: Searched, query: str, k: int) -> dict[str, Any]:
    results = [
        {"rank": rank, "score": round(hit.score, 6), "row": hit.row + 1, "text": hit.text}
        for rank, hit in enumerate(searched.nearest(query, k), start=1)
    ]
    return {"query": query, "results": results}


def _shown(found: dict[str, Any], *, json: bool) -> dict[str, Any]:
    if not json:
        show(_told(found))
    return found


def _told(found: dict[str, Any]) -> str:
    lines = [f"{hit['score']:6.3f}  {' '.join(hit['text'].split())[:200]}" for hit in found["results"]]
    return "\n".join(lines)


def _asked() -> Iterator[str]:
    """Queries line by line, from a person or a pipe; blank lines are passed over."""
    by_hand = sys.stdin.isatty()
    if by_hand:
        say("One query a line; end with Ctrl-D.")
    while True:
        if by_hand:
            sys.stderr.write(_PROMPT)
            sys.stderr.flush()
        line = sys.stdin.buffer.readline()
        if not line:
            return
        try:
            query = line.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise DataError("stdin: a query is not UTF-8 text") from error
        if query:
            yield query
