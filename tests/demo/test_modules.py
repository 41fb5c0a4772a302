from __future__ import annotations

from twinset.demo.modules import documented

SOURCE = b'''
"""The module's own docstring is nobody's."""
import os
if os.name == "nt":
    def on_windows():
        """Only there."""
else:
    def elsewhere():
        """Everywhere else."""
try:
    import fast
except ImportError:
    async def slow():
        """Instead."""
class Gear:
    """A wheel."""
    def turn(self):
        """Turns it."""
        def inner():
            """Within a function."""
    def _stop(self):
        """Private."""
    def silent(self):
        return "\\d"
    class Tooth:
        """Of a gear."""
class _Hidden:
    """Private."""
    def shown(self):
        """In a private class."""
def half():
    """A half \\ud800 character."""
'''


def test_public_functions_classes_and_methods_in_their_order() -> None:
    found = [(each.path, each.docstring) for each in documented(SOURCE)]
    assert found == [
        ("on_windows", "Only there."),
        ("elsewhere", "Everywhere else."),
        ("slow", "Instead."),
        ("Gear", "A wheel."),
        ("Gear.turn", "Turns it."),
        ("Gear.Tooth", "Of a gear."),
        ("half", "A half ? character."),
    ]


def test_nothing_is_run() -> None:
    (found,) = documented(b'raise SystemExit\ndef f():\n    """A text."""\n')
    assert found.docstring == "A text."


def test_what_cannot_be_parsed_is_passed_over() -> None:
    assert not list(documented(b'def f(:\n    """A text."""\n'))
    assert not list(documented(b'def f():\n    """A \x00 byte."""\n'))
    assert not list(documented(b"def f():\n    pass\n"))
