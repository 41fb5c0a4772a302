from __future__ import annotations

from dataclasses import replace

import torch

from tests.objectives.hard_shapes import Remember
from tests.training.steps.scenes import backbone, scene
from twinset.objectives import InfoNCE
from twinset.training.references import ByEmbedder
from twinset.training.steps import Plain
from twinset.types import Reference


def test_the_record_has_the_columns_ids_in_the_looks_order() -> None:
    given = scene(backbone("bert", dropout=0), InfoNCE())
    turned = scene(backbone("bert", dropout=0), InfoNCE(), looks=(given.looks[2], given.looks[0]))
    views = (torch.zeros(6, 2), torch.zeros(6, 2))
    assert torch.equal(turned.embedded(views).ids, given.batch.ids[[2, 0]])


def test_the_record_has_all_facts_about_the_rows() -> None:
    given = scene(backbone("bert", dropout=0), InfoNCE())
    record = given.embedded((torch.zeros(6, 2),) * 3)
    assert record.labels is given.batch.labels
    assert record.scores is given.batch.scores
    assert record.earlier is given.earlier


def test_references_are_looked_up_where_they_are_needed_only() -> None:
    asked: list[Reference] = []

    def source(kind: Reference):  # noqa: ANN202
        def found(looks, batch):  # noqa: ANN001, ANN202
            asked.append(kind)
            return torch.zeros(len(looks), len(looks), len(batch))

        return found

    sources = {kind: source(kind) for kind in Reference}
    views = (torch.zeros(6, 2),) * 3
    encoder = backbone("bert", dropout=0)
    assert scene(encoder, InfoNCE(), references=sources).embedded(views).references == {}
    record = scene(encoder, Remember(), references=sources).embedded(views)
    assert set(record.references) == set(asked) == Remember().needs.references


def test_no_gradient_flows_into_a_reference() -> None:
    encoder = backbone("bert", dropout=0)

    def careless(looks, batch):  # noqa: ANN001, ANN202
        vectors = torch.stack([encoder(look) for look in looks])
        return torch.einsum("and,bnd->abn", vectors, vectors)

    given = scene(encoder, Remember(), references=dict.fromkeys(Reference, careless))
    record = given.embedded((torch.zeros(6, 2),) * 3)
    assert not any(value.requires_grad for value in record.references.values())


def test_a_references_dropout_does_not_depend_on_chunks() -> None:
    encoder = backbone("bert", dropout=0.3)
    older = {kind: ByEmbedder(embed=backbone("bert", seed=5, dropout=0.3)) for kind in Reference}
    played = scene(encoder, Remember(), references=older)
    found = [Plain()(replace(played, chunk_tokens=budget)).embedded.references for budget in (None, 33)]
    assert torch.equal(found[0][Reference.INITIAL], found[1][Reference.INITIAL])
