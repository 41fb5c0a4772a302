from __future__ import annotations

import platform
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from twinset.demo.packages import INSTALLED, STANDARD_LIBRARY, Library, Package
from twinset.errors import RequestError

ROOT = Path(__file__).resolve().parents[2]


def _needed() -> set[str]:
    """What twinset's own dependencies draw in, theirs included, without any extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [Requirement(line) for line in project["dependencies"]]
    seen: dict[str, set[str]] = {}
    while waiting:
        each = waiting.pop()
        name = str(canonicalize_name(each.name))
        if name in seen and each.extras <= seen[name]:
            continue
        seen.setdefault(name, set()).update(each.extras)
        for line in metadata.requires(name) or []:
            further = Requirement(line)
            extras = ["", *seen[name]]
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(further)
    return set(seen)


def _file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", encoding="utf-8")
    return path


@pytest.mark.parametrize("package", list(INSTALLED), ids=lambda package: package.name)
def test_each_comes_with_twinset_itself(package: Package) -> None:
    if package.name != STANDARD_LIBRARY:
        assert canonicalize_name(package.distribution or package.name) in _needed()
        assert package.version() == metadata.version(package.distribution or package.name)
    assert package.files()


def test_no_package_is_on_two_sides() -> None:
    names = [package.name for package in INSTALLED]
    assert len(set(names)) == len(names)
    assert [package.name for package in INSTALLED.held_out] == ["networkx", "scipy", "sklearn"]
    assert INSTALLED.dev.name == "numpy"


def test_which_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "bk_files"
    kept = [_file(root / name) for name in ("__init__.py", "_core/c.py", "_a.py", "b/__init__.py", "b/x.py")]
    for name in (
        *("tests/test_x.py", "b/test_y.py", "b/conftest.py", "vendor/v.py", "_private/p.py", "gone/g.py"),
        *("b/notes.txt", "b/_deep/d.py"),
    ):
        _file(root / name)
    monkeypatch.syspath_prepend(tmp_path)
    package = Package(name="bk_files", without=("gone",), private=("_core",))
    files = package.files()
    assert sorted(files) == sorted(kept)
    assert files == package.files()
    assert {package.module(file) for file in kept} == {
        *("bk_files", "bk_files._core.c", "bk_files._a", "bk_files.b", "bk_files.b.x")
    }


def test_a_package_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _file(tmp_path / "bk_single.py")
    monkeypatch.syspath_prepend(tmp_path)
    package = Package(name="bk_single")
    assert package.files() == [file]
    assert package.module(file) == "bk_single"
    assert package.version() is None


def test_the_standard_library() -> None:
    package = Package(name=STANDARD_LIBRARY)
    modules = {package.module(file) for file in package.files()}
    assert {"json", "json.decoder", "textwrap"} <= modules
    assert not any("site-packages" in module or module.startswith(("test", "_pyrepl")) for module in modules)
    assert package.version() == platform.python_version()


def test_a_package_that_is_missing_is_told_with_the_name_that_pip_knows() -> None:
    with pytest.raises(
        RequestError, match=r"docstrings of bk_none, which is not installed: pip install bk-none"
    ):
        Package(name="bk_none", distribution="bk-none").files()


def test_a_package_without_sources_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _file(tmp_path / "bk_bare" / "tests" / "__init__.py")
    (tmp_path / "bk_bare" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    package = Package(name="bk_bare", without=("__init__.py",))
    with pytest.raises(RequestError, match="there is no Python file in"):
        package.files()


def test_nothing_is_imported(library: Library) -> None:
    assert [len(package.files()) for package in library] == [7, 3, 3, 3]
    assert not any(name.startswith("bk_") for name in sys.modules)
