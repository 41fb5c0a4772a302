"""The repository as a whole: what is packaged, pinned, named and mentioned."""

from __future__ import annotations

import importlib.resources
import re
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ROOT = Path(__file__).resolve().parent.parent

VAGUE_NAMES = {"utils", "util", "common", "helpers", "helper", "misc", "base", "manager"}

# Put together from pieces, so that this file does not mention what it forbids.
MACHINE_PATHS = [
    rf"(?<![\w.~-])/{folder}/" for folder in ("wo" + "rk", "ro" + "ot", "opt/" + "pypi", "opt/" + "wheels")
]
REGISTRY_HOSTS = [
    rf"{host}\.(org|com)" for host in ("py" + "pi", "python" + "hosted", "download.py" + "torch")
]
FORBIDDEN = re.compile("|".join(MACHINE_PATHS + REGISTRY_HOSTS))


def _repository_files() -> list[Path]:
    """Files under version control or about to be: what git neither ignores nor calls deleted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def _python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"no Python file under {folders}"
    return found


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _requirements() -> list[Requirement]:
    tables = _project()
    project = tables["project"]
    lines = [*tables["build-system"]["requires"], *project["dependencies"]]
    lines += [line for extra in project["optional-dependencies"].values() for line in extra]
    requirements = [Requirement(line) for line in lines]
    return [requirement for requirement in requirements if requirement.name != "twinset"]


def _pins() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins: dict[str, Version] = {}
    for line in lines:
        if line and not line.startswith("#"):
            name, equals, version = line.partition("==")
            assert equals, f"constraints.txt: {line!r} is not name==version"
            pins[canonicalize_name(name)] = Version(version)
    return pins


def _packaged(name: str) -> Traversable:
    found = importlib.resources.files("twinset")
    for part in name.split("/"):
        found = found / part
    return found


@pytest.mark.parametrize(
    "name",
    [
        "py.typed",
        "encoder/mini/model.safetensors",
        "encoder/mini/config.json",
        "encoder/mini/tokenizer.json",
        "encoder/mini/tokenizer_config.json",
        "encoder/mini/README.md",
    ],
)
def test_package_carries(name: str) -> None:
    assert _packaged(name).is_file()


def test_built_in_model_is_whole() -> None:
    weights = _packaged("encoder/mini/model.safetensors").read_bytes()
    header = int.from_bytes(weights[:8], "little")
    assert 20_000_000 < len(weights) < 25_000_000
    assert weights[8 : 8 + header].startswith(b"{")


@pytest.mark.parametrize("requirement", _requirements(), ids=str)
def test_constraints_pin_every_dependency(requirement: Requirement) -> None:
    version = _pins().get(canonicalize_name(requirement.name))
    assert version is not None, f"constraints.txt does not pin {requirement.name}"
    assert requirement.specifier.contains(version), f"{requirement} excludes the pinned {version}"


def test_constraints_name_no_build() -> None:
    labelled = [name for name, version in _pins().items() if version.local]
    assert labelled == [], "a label such as +cpu ties the pin to one index"


def test_every_dependency_has_a_reason() -> None:
    reasons = (ROOT / "docs/decisions/0001-dependencies.md").read_text(encoding="utf-8")
    missing = [requirement.name for requirement in _requirements() if f"`{requirement.name}`" not in reasons]
    assert missing == [], "docs/decisions/0001-dependencies.md gives no reason for these"


def test_changelog_speaks_of_this_version() -> None:
    headings = re.findall(
        r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert headings[:1] == [_project()["project"]["version"]]


def test_no_machine_or_registry_is_named() -> None:
    found: list[str] = []
    for path in _repository_files():
        if path.suffix == ".safetensors":
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            if FORBIDDEN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "cd /" + "work/x",
        '"/' + 'root/.cache"',
        "https://" + "py" + "pi.org/simple",
        "files.python" + "hosted.org",
    ],
)
def test_what_is_forbidden_is_found(line: str) -> None:
    assert FORBIDDEN.search(line)


@pytest.mark.parametrize("line", ["src/work/x.py", "a workaround", "the root/tree", "import torch"])
def test_what_is_fine_is_left_alone(line: str) -> None:
    assert not FORBIDDEN.search(line)


def test_no_file_has_a_vague_name() -> None:
    found = [
        path
        for path in _python_files("src", "tests")
        if VAGUE_NAMES & {part.strip("_") for part in path.relative_to(ROOT).with_suffix("").parts}
    ]
    assert found == [], "name what the file is about"


def test_no_source_file_is_over_400_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in _python_files("src")}
    long = {str(path.relative_to(ROOT)): length for path, length in lengths.items() if length > 400}
    assert long == {}, "past 400 lines it is two files"


def test_every_test_file_mirrors_a_source_file() -> None:
    """tests/data/test_read.py belongs to src/twinset/data/read.py or to a folder of that name."""
    strays: list[str] = []
    for path in _python_files("tests"):
        inner = path.relative_to(ROOT / "tests")
        if len(inner.parts) == 1 or not inner.name.startswith("test_"):
            continue  # tests/test_*.py are about the repository or several rooms
        if inner.parts[0] == "mutants":
            continue  # a tool of the tests, with tests of its own
        if not (ROOT / "src" / "twinset" / inner.parts[0]).exists():
            strays.append(str(inner))
    assert strays == []
