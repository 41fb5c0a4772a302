from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from tests.encoder.graphs import EXPORTS, GRAPHS, furnished
from tests.encoder.tiny import SENTENCES, tiny_encoder
from twinset.encoder import Encoder
from twinset.encoder.source import locate, mini_folder
from twinset.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

NOWHERE = "http://127.0.0.1:9"
SHA = "0123456789abcdef0123456789abcdef01234567"


def test_mini_is_in_the_package() -> None:
    assert locate("mini") == mini_folder()
    assert (mini_folder() / "model.safetensors").is_file()


def test_folder_is_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate(tmp_path) == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "model").mkdir()
    assert locate("~/model") == tmp_path / "model"


def test_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "model.bin").touch()
    with pytest.raises(ModelError, match=r"model\.bin: is a file; name the folder"):
        locate(tmp_path / "model.bin")


@pytest.mark.parametrize("name", ["./my-model", "a/b/c", "~/none", "/none/such"])
def test_what_looks_like_a_path_is_not_looked_for_elsewhere(name: str) -> None:
    with pytest.raises(ModelError, match="no such folder") as caught:
        locate(name)
    assert "hub" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "  "])
def test_no_name(name: str) -> None:
    with pytest.raises(ModelError, match="a model's name is needed"):
        locate(name)


def test_did_you_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-encoder").mkdir()
    with pytest.raises(ModelError, match=r"did you mean .*/my-encoder\?"):
        locate(tmp_path / "my-encodr")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"my-encodr: no such folder; did you mean my-encoder\?"):
        locate("my-encodr")
    with pytest.raises(ModelError, match=r"did you mean mini\?"):
        locate("minni")


def test_name_that_can_be_nothing() -> None:
    with pytest.raises(ModelError, match="it is no hub id either"):
        locate("what is this?")


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as a download asks for."""

    models: dict[str, Path] = {}  # noqa: RUF012
    asked: list[str] = []  # noqa: RUF012

    def log_message(self, *_arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        for name, folder in self.models.items():
            if path.startswith(f"/{name}/resolve/{SHA}/"):
                return self._file(folder / path.removeprefix(f"/{name}/resolve/{SHA}/"))
            if path.startswith(f"/api/models/{name}/revision/"):
                known = path.endswith(("/main", SHA))
                return self._listing(name, folder) if known else self._missing("RevisionNotFound")
            if path.startswith(f"/api/models/{name}/tree/"):
                return self._tree(folder)
        if "/gated/" in path:
            return self._answer(403, b"{}", {"X-Error-Code": "GatedRepo"})
        return self._missing("RepoNotFound")

    def _file(self, file: Path) -> None:
        if self.command == "GET":
            self.asked.append(file.name)
        self._answer(200, file.read_bytes(), {"ETag": f'"{self._mark(file)}"', "X-Repo-Commit": SHA})

    def _listing(self, name: str, folder: Path) -> None:
        files = [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
        listed = {"id": name, "sha": SHA, "siblings": [{"rfilename": file} for file in files]}
        self._answer(200, json.dumps(listed).encode(), {"Content-Type": "application/json"})

    def _tree(self, folder: Path) -> None:
        entries = [
            {
                "type": "file",
                "path": str(file.relative_to(folder)),
                "size": file.stat().st_size,
                "oid": self._mark(file),
            }
            for file in folder.rglob("*")
            if file.is_file()
        ]
        self._answer(200, json.dumps(entries).encode(), {"Content-Type": "application/json"})

    def _mark(self, file: Path) -> str:
        """By its content, as the hub has it: files of one name in two folders are two files in the cache."""
        return hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()

    def _missing(self, code: str) -> None:
        self._answer(404, b"{}", {"X-Error-Code": code})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Hub.models.clear()
    Hub.asked.clear()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def look_up(
    cache: Path,
    endpoint: str,
    *names: str,
    offline: bool = False,
    revision: str | None = None,
    backend: str = "torch",
) -> list[str]:
    """In a process of its own: the hub's address is read on import. Gives a folder or a message a name."""
    program = (
        "import sys\nfrom twinset.encoder.source import locate\nfrom twinset.errors import ModelError\n"
        "for name in sys.argv[1:]:\n"
        f"    try: print(locate(name, revision={revision!r}, backend={backend!r}))\n"
        "    except ModelError as error: print(error)\n"
    )
    settings = {"HF_HOME": str(cache), "HF_ENDPOINT": endpoint, "HF_HUB_OFFLINE": str(int(offline))}
    settings |= {"HF_HUB_DISABLE_XET": "1", "NO_PROXY": "*", "no_proxy": "*"}
    command = [sys.executable, "-c", program, *names]
    done = subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()


def test_hub_id_is_fetched_and_kept(tmp_path: Path, hub: str) -> None:
    encoder = tiny_encoder("bert")
    encoder.save_pretrained(tmp_path / "model")
    (tmp_path / "model/onnx").mkdir()
    (tmp_path / "model/onnx/model.onnx").write_bytes(b"large")
    (tmp_path / "model/pytorch_model.bin").write_bytes(b"pickled")
    Hub.models["someone/tiny"] = tmp_path / "model"
    (folder,) = look_up(tmp_path / "cache", hub, "someone/tiny")
    np.testing.assert_array_equal(
        Encoder.from_pretrained(folder, device="cpu").encode(SENTENCES), encoder.encode(SENTENCES)
    )
    assert "model.safetensors" in Hub.asked
    assert not {"model.onnx", "pytorch_model.bin"} & set(Hub.asked), "only what is needed"
    assert look_up(tmp_path / "cache", NOWHERE, "someone/tiny") == [folder], "from the cache"
    assert look_up(tmp_path / "cache", NOWHERE, "someone/tiny", offline=True) == [folder]


def test_pickled_weights_are_fetched_where_there_are_no_others(tmp_path: Path, hub: str) -> None:
    encoder = tiny_encoder("bert")
    encoder.save_pretrained(tmp_path / "model")
    (tmp_path / "model/model.safetensors").unlink()
    torch.save(encoder.backbone.model.state_dict(), tmp_path / "model/pytorch_model.bin")
    Hub.models["someone/old"] = tmp_path / "model"
    (folder,) = look_up(tmp_path / "cache", hub, "someone/old")
    np.testing.assert_array_equal(
        Encoder.from_pretrained(folder, device="cpu").encode(SENTENCES), encoder.encode(SENTENCES)
    )


@pytest.mark.parametrize("backend", GRAPHS)
def test_of_a_graph_the_weights_are_not_fetched(tmp_path: Path, hub: str, backend: str) -> None:
    encoder = furnished()
    EXPORTS[backend](encoder, tmp_path / "model")
    (tmp_path / "model/pytorch_model.bin").write_bytes(b"pickled")
    Hub.models["someone/tiny"] = tmp_path / "model"
    (folder,) = look_up(tmp_path / "cache", hub, "someone/tiny", backend=backend)
    np.testing.assert_allclose(
        Encoder.from_pretrained(folder, backend=backend).encode(SENTENCES),
        encoder.encode(SENTENCES),
        atol=1e-5,
    )
    assert Hub.asked.count("model.safetensors") == 1, "the dense layer's"
    assert "pytorch_model.bin" not in Hub.asked


def test_hub_says_no(tmp_path: Path, hub: str) -> None:
    Hub.models["someone/tiny"] = tmp_path
    none, gated = look_up(tmp_path / "cache", hub, "someone/none", "gated/model")
    assert "has no model of that name" in none
    assert "access to this model must be granted" in gated
    answer = look_up(tmp_path / "cache", hub, "someone/tiny", revision="v9")
    assert answer == ["someone/tiny: the hub has no revision 'v9' of it"]


@pytest.mark.parametrize("offline", [True, False])
def test_hub_cannot_be_reached(tmp_path: Path, offline: bool) -> None:
    (answer,) = look_up(tmp_path / "cache", NOWHERE, "someone/none", offline=offline)
    assert f"someone/none: no such folder; and the hub ({NOWHERE}) cannot be reached" in answer
    assert "'mini'" in answer
