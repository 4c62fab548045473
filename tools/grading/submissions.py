"""Find what students handed in: DIR/alice.ipynb, DIR/alice.zip, or any notebook in DIR/alice/."""

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 30 * 2**20  # of one notebook, its outputs included


@dataclass(frozen=True)
class Submission:
    """``files`` are the notebooks that may be meant, by name; usually it is one."""

    student: str
    files: dict[str, bytes]
    too_large: bool = False

    def digest(self) -> str:
        digest = hashlib.sha256(str(self.too_large).encode())
        for name, content in sorted(self.files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        return digest.hexdigest()


def find_students(folder: Path) -> dict[str, Path]:
    """The path of each submission by the student's name."""
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS={folder} is not a folder.")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        is_file = path.is_file() and path.suffix in (".ipynb", ".zip")
        if path.name.startswith(".") or path.is_symlink() or not (path.is_dir() or is_file):
            continue
        student = path.stem if is_file else path.name
        if student in found:
            raise ValueError(f"{found[student]} and {path} are both from {student!r}: keep one.")
        found[student] = path
    return found


def shard_of(students: dict[str, Path], shard: str) -> dict[str, Path]:
    """The part of the students that ``shard``, "i/n" with i from 1 to n, has to grade."""
    index, count = parse_shard(shard)
    names = sorted(students)[index - 1 :: count]
    return {name: students[name] for name in names}


def parse_shard(shard: str) -> tuple[int, int]:
    index, _, count = shard.partition("/")
    if index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count):
        return int(index), int(count)
    raise ValueError(f"SHARD={shard!r} should be i/n with i from 1 to n, such as 2/4.")


def read_submission(student: str, path: Path) -> Submission:
    """Read the notebooks of one student. Links are not followed: they may point anywhere."""
    if path.suffix == ".zip" and path.is_file():
        return _read_zip(student, path)
    paths = [path] if path.is_file() else sorted(path.rglob("*.ipynb"))
    files, too_large = {}, False
    for one in paths:
        inside = [one, *one.parents][: len(one.relative_to(path.parent).parts)]
        if any(step.is_symlink() for step in inside) or not one.is_file():
            continue
        if ".ipynb_checkpoints" in one.parts:
            continue
        if one.stat().st_size > MAX_BYTES:
            too_large = True
            continue
        files[str(one.relative_to(path.parent))] = one.read_bytes()
    return Submission(student, files, too_large)


def _read_zip(student: str, path: Path) -> Submission:
    files, too_large = {}, False
    try:
        with zipfile.ZipFile(path) as archive:
            for item in archive.infolist():
                if not item.filename.endswith(".ipynb") or "__MACOSX" in item.filename:
                    continue
                with archive.open(item) as file:
                    content = file.read(MAX_BYTES + 1)
                if len(content) > MAX_BYTES:
                    too_large = True
                else:
                    files[item.filename] = content
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        return Submission(student, {path.name: b""})
    return Submission(student, files, too_large)
