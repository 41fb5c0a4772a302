"""What is put in front of a text because of its role: `query: `, `passage: `, an instruction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import final

from twinset.errors import RequestError

_STAND_INS: dict[str, tuple[str, ...]] = {
    "query": ("query",),
    # The names that published models use for the other side, in the order in which they are looked for.
    "document": ("document", "passage", "corpus"),
}


@final
class Prompts(Mapping[str, str]):
    """Prompts by name, and the name of the one that texts without a role get (None: no prompt).

    prompts = Prompts({"query": "query: ", "passage": "passage: "})
    prompts.of("document")  # "passage: "
    """

    __slots__ = ("_texts", "default")

    def __init__(self, texts: Mapping[str, str] | None = None, *, default: str | None = None) -> None:
        self._texts = dict(texts or {})
        self.default = default
        if default is not None and default not in self._texts:
            raise RequestError(f"the default prompt {default!r} is none of {_listed(self._texts)}")

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"Prompts({self._texts!r}, default={self.default!r})"

    def of(self, role: str | None) -> str:
        """The prompt of a role. `query` and `document` are always roles; others must be prompts by name.

        A text without a role gets the default prompt. A query of an encoder without a query prompt gets
        none, whatever the default is.
        """
        if role is None:
            return "" if self.default is None else self._texts[self.default]
        for name in _STAND_INS.get(role, (role,)):
            if self._texts.get(name):
                return self._texts[name]
        if role in _STAND_INS or role in self._texts:
            return ""
        raise RequestError(f"role {role!r} is none of {_listed({**_STAND_INS, **self._texts})}")

    def updated(self, texts: Mapping[str, str]) -> Prompts:
        """These prompts with others over them."""
        default = texts.default if isinstance(texts, Prompts) else None
        return Prompts({**self._texts, **texts}, default=default or self.default)


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(sorted(names)) or "(none)"
