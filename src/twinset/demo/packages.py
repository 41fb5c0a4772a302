"""Which packages the demo reads: what twinset itself needs is on every machine that can run it.

The pins of constraints.txt make it the same text everywhere, but for the standard library, which comes with
Python. Whole packages are held out: what is scored on was never trained on.
"""

from __future__ import annotations

import platform
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from twinset.errors import RequestError

STANDARD_LIBRARY = "standard library"
_SITE = ("site-packages", "dist-packages")
# Tests, other people's packages inside a package, and what some systems install apart from Python.
_LEFT_OUT = frozenset(
    (
        *_SITE,
        *("test", "tests", "conftest.py", "setup.py"),
        *("extern", "externals", "vendor", "vendored", "third_party"),
        *("distutils", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "tkinter", "turtledemo", "venv"),
    )
)


@dataclass(frozen=True, kw_only=True)
class Package:
    """One package by the name it is imported by.

    distribution: what pip calls it, where that is another name. without: folders and files of it that are
    passed over. private: folders with an underscore in front that are read all the same, because public
    names are defined there.
    """

    name: str
    distribution: str = ""
    without: tuple[str, ...] = ()
    private: tuple[str, ...] = ()

    def files(self) -> list[Path]:
        """Its Python files, always in the same order."""
        place = self._place()
        if place.is_file():
            return [place]
        found = (path for path in place.rglob("*.py") if self._reads(path.relative_to(place)))
        files = sorted(found, key=lambda path: path.relative_to(place).parts)
        if not files:
            raise RequestError(
                f"the demo reads the docstrings of {self.name}, and there is no Python file in {place}: "
                "it needs packages that are installed with their sources"
            )
        return files

    def module(self, path: Path) -> str:
        """The dotted name of one of its files."""
        place = self._place()
        root = place if self.name == STANDARD_LIBRARY else place.parent
        parts = path.relative_to(root).with_suffix("").parts
        return ".".join(part for part in parts if part != "__init__")

    def version(self) -> str | None:
        """Which version is installed, where that is written down."""
        if self.name == STANDARD_LIBRARY:
            return platform.python_version()
        try:
            return metadata.version(self.distribution or self.name)
        except metadata.PackageNotFoundError:
            return None

    def _place(self) -> Path:
        """Where it lies, found without importing it."""
        if self.name == STANDARD_LIBRARY:
            return Path(sysconfig.get_path("stdlib"))
        found = find_spec(self.name)
        if found is None or found.origin is None:
            raise RequestError(
                f"the demo reads the docstrings of {self.name}, which is not installed: "
                f"pip install {self.distribution or self.name}"
            )
        return Path(found.origin).parent if found.submodule_search_locations else Path(found.origin)

    def _reads(self, path: Path) -> bool:
        if any(part in _LEFT_OUT or part in self.without for part in path.parts):
            return False
        if path.name.startswith("test_"):
            return False
        return all(not part.startswith("_") or part in self.private for part in path.parts[:-1])


@dataclass(frozen=True, kw_only=True)
class Library:
    """What is read, and what for: to learn from, to choose settings by, to be asked about."""

    training: tuple[Package, ...]
    dev: Package
    held_out: tuple[Package, ...]

    def __iter__(self) -> Iterator[Package]:
        return iter((*self.training, self.dev, *self.held_out))


INSTALLED = Library(
    training=(
        Package(name=STANDARD_LIBRARY),
        Package(name="torch"),
        Package(name="transformers", without=("models",)),  # one model's docstrings are copies of another's
        Package(name="sympy"),
        Package(name="mpmath"),
        Package(name="pydantic"),
        Package(name="huggingface_hub"),
        Package(name="pygments"),
        Package(name="rich"),
        Package(name="jinja2"),
        Package(name="fsspec"),
        Package(name="joblib"),
        Package(name="setuptools"),
        Package(name="psutil"),
        Package(name="anyio"),
        Package(name="click"),
        Package(name="typer"),
        Package(name="packaging"),
        Package(name="pyarrow"),
        Package(name="tqdm"),
        Package(name="filelock"),
    ),
    dev=Package(name="numpy", private=("_core",)),
    held_out=(
        Package(name="networkx"),
        Package(name="scipy"),
        Package(name="sklearn", distribution="scikit-learn"),
    ),
)
"""On every machine that can run twinset: its own dependencies, and theirs."""
