from __future__ import annotations

import pytest

from twinset.encoder.prompts import Prompts
from twinset.errors import RequestError

E5 = Prompts({"query": "query: ", "passage": "passage: ", "clustering": "cluster: "}, default="passage")


@pytest.mark.parametrize(
    ("role", "expected"),
    [("query", "query: "), ("document", "passage: "), ("clustering", "cluster: "), (None, "passage: ")],
)
def test_of(role: str | None, expected: str) -> None:
    assert E5.of(role) == expected


def test_document_comes_before_its_stand_ins() -> None:
    assert Prompts({"corpus": "c", "passage": "p", "document": "d"}).of("document") == "d"
    assert Prompts({"corpus": "c", "passage": "p", "document": ""}).of("document") == "p"


@pytest.mark.parametrize("role", ["query", "document", None])
def test_without_prompts_nothing_is_put_in_front(role: str | None) -> None:
    assert Prompts().of(role) == ""


def test_query_without_a_prompt_gets_no_default() -> None:
    assert Prompts({"passage": "p: "}, default="passage").of("query") == ""


def test_unknown_role_is_named_beside_the_known() -> None:
    with pytest.raises(RequestError, match=r"role 'quary' is none of clustering, document, passage, query"):
        E5.of("quary")


def test_default_must_exist() -> None:
    with pytest.raises(RequestError, match="default prompt 'x' is none of query"):
        Prompts({"query": "q"}, default="x")


def test_updated_lays_over() -> None:
    other = E5.updated({"query": ""})
    assert other.of("query") == ""
    assert (other.of("document"), other.default) == ("passage: ", "passage")
    assert dict(E5)["query"] == "query: "
