"""Entries in one line."""

from __future__ import annotations

from twinset.demo.corpus import Entry


def entry(path: str, summary: str, description: str = "", see_also: tuple[str, ...] = ()) -> Entry:
    """`package.module:thing` or `package.module:Class.thing`."""
    module, thing = path.split(":")
    return Entry(
        package=module.split(".")[0],
        module=module,
        thing=thing,
        summary=summary,
        description=description,
        see_also=see_also,
    )
