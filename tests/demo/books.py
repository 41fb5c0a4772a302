"""A tiny library of packages, written to a folder: something to learn from, to choose by, to ask about."""

from __future__ import annotations

from pathlib import Path

from twinset.demo.packages import Library, Package

_THINGS = ("gear", "wheel", "valve", "lever", "spring", "piston")
_DEEDS: dict[str, dict[str, tuple[str, str]]] = {
    "bk_taught": {
        "turn": ("Turn the {0} around its axis.", "A whole {0} goes round and comes back to its place."),
        "stop": ("Stop the {0} where it is.", "It brakes a moving {0} until nothing stirs at all."),
        "paint": ("Paint the {0} in any colour.", "A coat of lacquer goes on every side of this {0}."),
        "weigh": ("Say how heavy a {0} is.", "The scales tell the mass of one {0} in grams."),
    },
    "bk_dev": {
        "heat": ("Heat up that {0} with fire.", "Flames lick at some {0} and make it glow red."),
        "cool": ("Cool one {0} down in water.", "Somebody throws hot {0} parts into an icy lake."),
        "cut": ("Cut another {0} into two halves.", "Saws go through each {0} from above to below."),
        "glue": ("Glue broken {0} pieces together.", "Sticky resin holds what {0} fragments are left."),
    },
    "bk_asked": {
        "buy": ("Buy yet another {0} at market.", "Money changes hands, then your {0} comes home."),
        "sell": ("Sell whichever {0} nobody wants.", "Customers pay for old {0} stock with coins."),
        "lend": ("Lend somebody else our {0}.", "For three weeks no {0} will be around here."),
        "steal": ("Steal his {0} at night.", "In darkness burglars carry off every single {0}."),
    },
    "bk_other": {
        "draw": ("Draw her {0} with pencils.", "Lines on white paper show how {0} shapes curve."),
        "film": ("Film their {0} while moving.", "Cameras record many {0} pictures per second."),
        "sing": ("Sing about my {0} loudly.", "Melodies praise such {0} wonders before crowds."),
        "write": ("Write five {0} poems daily.", "Verses rhyme on any {0} subject under heaven."),
    },
}


def _function(deed: str, thing: str, texts: tuple[str, str], neighbour: str) -> str:
    summary, description = (text.format(thing) for text in texts)
    return (
        f"def {deed}_{thing}():\n"
        f'    """\n    {summary}\n\n    {description}\n\n'
        f"    See Also\n    --------\n    {neighbour}_{thing} : the {thing} again\n"
        f'    """\n\n\n'
    )


def _write(folder: Path, name: str, things: tuple[str, ...]) -> Package:
    package, deeds = folder / name, _DEEDS[name]
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    first, second, third, fourth = deeds
    neighbours = {first: second, second: first, third: fourth, fourth: third}
    for thing in things:
        text = "".join(_function(deed, thing, deeds[deed], neighbours[deed]) for deed in deeds)
        (package / f"_{thing}s.py").write_text(text, encoding="utf-8")
    return Package(name=name)


def write_library(folder: Path) -> Library:
    """Four packages in `folder`, which must be importable: 24 functions to learn from, 8 in each other."""
    return Library(
        training=(_write(folder, "bk_taught", _THINGS),),
        dev=_write(folder, "bk_dev", _THINGS[:2]),
        held_out=(_write(folder, "bk_asked", _THINGS[2:4]), _write(folder, "bk_other", _THINGS[4:])),
    )
