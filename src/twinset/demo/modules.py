"""The documented objects of a module, read from its source: nothing is imported, nothing is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

_Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, kw_only=True)
class Documented:
    """A public function, class or method: `owner` is the class that a method belongs to, or empty."""

    owner: str
    name: str
    docstring: str

    @property
    def path(self) -> str:
        """Its name within the module."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


def documented(source: bytes) -> Iterator[Documented]:
    """Functions, classes and their methods, in the order of the file; those within functions are nobody's."""
    if b'"""' not in source and b"'''" not in source:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in somebody else's file
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            return  # written for another version of Python
    yield from _among(tree.body, "")


def _among(body: list[ast.stmt], owner: str) -> Iterator[Documented]:
    for node in body:
        if isinstance(node, _Documented):
            if node.name.startswith("_"):
                continue
            docstring = ast.get_docstring(node)
            if docstring:
                # Half a character, as "\\ud800" writes it, is text to Python and to nobody else.
                whole = docstring.encode("utf-8", "replace").decode("utf-8")
                yield Documented(owner=owner, name=node.name, docstring=whole)
            if isinstance(node, ast.ClassDef):
                yield from _among(node.body, node.name)
        else:
            # Definitions stand in `if` and `try`, too.
            for part in ("body", "orelse", "handlers", "finalbody"):
                yield from _among(cast("list[ast.stmt]", getattr(node, part, [])), owner)
