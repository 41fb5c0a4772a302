from __future__ import annotations

from pathlib import Path

import pytest

from twinset.cli.output import check_target, show_json, without_nan
from twinset.errors import RequestError


def test_json_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    assert without_nan({"a": [float("nan"), 1.5, (float("inf"), "nan")]}) == {"a": [None, 1.5, [None, "nan"]]}
    show_json({"a": float("nan")})
    assert capsys.readouterr().out == '{"a": null}\n'


def test_targets(tmp_path: Path) -> None:
    check_target(tmp_path / "new.npy")
    (tmp_path / "file").write_text("")
    for path, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "new.npy", "there is no folder"),
        (tmp_path / "file" / "new.npy", "is a file, not a folder"),
    ):
        with pytest.raises(RequestError, match=message):
            check_target(path)
