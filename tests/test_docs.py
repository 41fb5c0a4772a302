"""Every Python block in README, CONTRIBUTING and docs runs as it stands, each file's blocks in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks() -> list[tuple[str, str]]:
    return [
        (f"{path.relative_to(ROOT)}:{text[: found.start()].count(chr(10)) + 2}", found.group(1))
        for path in FILES
        for text in [path.read_text(encoding="utf-8")]
        for found in BLOCK.finditer(text)
    ]


def test_the_readme_has_python() -> None:
    assert sum(place.startswith("README.md") for place, _ in _blocks()) >= 2


@pytest.mark.parametrize(("place", "code"), _blocks(), ids=[place for place, _ in _blocks()])
def test_block_runs(place: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, place, "exec"), {"__name__": "__main__"})  # noqa: S102 - our own pages


def test_the_readme_names_every_command() -> None:
    from twinset.cli.app import app

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    verbs = [command.callback.__name__ for command in app.registered_commands if command.callback]
    assert [verb for verb in verbs if f"twinset {verb}" not in text] == []


def test_links_lead_somewhere() -> None:
    dead = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in FILES
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]
    assert dead == []
