from __future__ import annotations

from dataclasses import replace

from twinset.demo.corpus import Entry, digest, read_package
from twinset.demo.packages import Library


def test_every_documented_object_in_the_order_of_its_files(library: Library) -> None:
    entries = read_package(library.dev)
    assert len(entries) == 8
    assert entries[0] == Entry(
        package="bk_dev",
        module="bk_dev._gears",
        thing="heat_gear",
        summary="Heat up that gear with fire.",
        description="Flames lick at some gear and make it glow red.",
        see_also=("cool_gear",),
    )
    assert entries[0].path == "bk_dev._gears.heat_gear"
    assert entries[0].name == "heat gear"
    assert entries[0].text == "heat gear: Heat up that gear with fire."
    assert [entry.module for entry in entries] == ["bk_dev._gears"] * 4 + ["bk_dev._wheels"] * 4


def test_the_digest_is_of_the_text_alone(library: Library) -> None:
    entries = read_package(library.dev)
    assert digest(entries) == digest(read_package(library.dev))
    for change in ({"summary": "x y z"}, {"description": ""}, {"see_also": ()}, {"thing": "other"}):
        assert digest([replace(entries[0], **change), *entries[1:]]) != digest(entries)
    assert digest(entries[1:]) != digest(entries)
