"""Find what students handed in, and read it: notebooks, folders and archives of them.

Each entry of the inbox is one student's: DIR/anna.ipynb, DIR/anna.zip or DIR/anna/. Several entries
of one name are one submission. What cannot be read is kept with the reason, in words for whoever
grades: a damaged or hostile file costs its own student a look, and stops nobody.
"""

import contextlib
import gzip
import hashlib
import io
import itertools
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from course_checks.notebook.repair import AGAIN, Submission
from grading.platforms import is_called, person, student_in
from grading.tables import read_table, write_table

# What one student may hand in. Archives are unpacked in memory and only as far as this goes.
MAX_BYTES = 30 * 2**20  # of one notebook, its outputs included
MAX_ALL_BYTES = 100 * 2**20  # of all notebooks and archives together
MAX_NOTEBOOKS = 30
MAX_ENTRIES = 5000  # files and folders
MAX_DEPTH = 20  # of folders

# The table of every entry, and whose it is. Who is not in it, is in no other table.
INBOX = "inbox.csv"

NOTEBOOKS = (".ipynb", ".ipynb.txt", ".ipynb.json")  # browsers add the second ending
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
OTHER_ARCHIVES = (".7z", ".rar", ".xz", ".bz2", ".gz", ".zst")
JUNK = {"__MACOSX", "Thumbs.db", "desktop.ini"}  # what operating systems leave

LINK = "it is a link, and links are not followed: ask for the file itself"
TOO_LARGE = f"it is too large: {AGAIN}, without outputs"
TOO_MANY = f"there are too many files: {AGAIN}, alone"
TOO_DEEP = f"its folders are nested too deep: {AGAIN}, alone"
DAMAGED = f"it is damaged: {AGAIN}"
PASSWORD = f"it has a password: {AGAIN}, without one"
UNKNOWN_ARCHIVE = f"archives of this kind are not opened: {AGAIN}, or as a .zip file"
NOT_ORDINARY = f"it is no ordinary file: {AGAIN}"


@dataclass(frozen=True)
class Inbox:
    """The paths of each student's entries, and the entries that are nobody's with the reason."""

    students: dict[str, list[Path]]
    skipped: dict[str, str]


def find_submissions(folder: Path, pairs: Sequence[list[str]] = ()) -> Inbox:
    """Say of each entry of ``folder`` whose it is; what one of a pair handed in is both's.

    ValueError where there is no such folder, or nothing in it is a submission, or where one of a
    pair is nobody here and is called nearly like somebody.
    """
    if folder.is_file():
        raise ValueError(
            f"SUBMISSIONS={folder} is a file: unpack it into a folder, such as by `unzip {folder} "
            "-d in`, which keeps the files' times."
        )
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS={folder} is not a folder.")
    inbox = Inbox({}, {})
    for path in sorted(folder.iterdir()):
        name = printable(path.name)
        if name.startswith("."):
            inbox.skipped[name] = "its name begins with a dot: rename it if it was handed in"
        elif name in JUNK:
            inbox.skipped[name] = "it comes from an operating system"
        else:
            is_folder = path.is_dir() and not path.is_symlink()
            inbox.students.setdefault(_student_of(name, is_folder), []).append(path)
    if not inbox.students:
        raise ValueError(f"SUBMISSIONS={folder} holds no submissions.")
    known = list(inbox.students)
    for pair in pairs:
        both = [next((who for who in known if is_called(who, name)), name) for name in pair]
        for name in set(both).difference(known):
            if near := get_close_matches(name, map(person, known), 1, cutoff=0.8):
                raise ValueError(f"The pair {' and '.join(pair)}: is {near[0]} meant by {name}?")
        paths = [path for student in both for path in inbox.students.get(student, [])]
        inbox.students.update({student: paths for student in both if paths})
    return inbox


def _student_of(name: str, is_folder: bool) -> str:
    student = student_in(name if is_folder else _without_ending(name))
    encoded = student.encode()
    if len(encoded) > 200:  # the folder of the results may not be called so
        digest = hashlib.sha256(encoded).hexdigest()[:8]
        return encoded[:180].decode(errors="ignore") + "-" + digest
    return student


def _without_ending(name: str) -> str:
    for ending in (*NOTEBOOKS[1:], *ARCHIVES):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return Path(name).stem


def printable(name: str) -> str:
    """A file's name as text. Old systems store names in Latin-1, which is no UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        name = name.encode(errors="surrogateescape").decode("latin-1")
    return "".join(letter if letter.isprintable() else "_" for letter in name)


def read_submission(student: str, paths: list[Path]) -> Submission:
    """Read all notebooks of one student, within the limits; whatever fails is told in ``unread``.

    Links are not followed: they may point anywhere.
    """
    reader = _Reader()
    for path in paths:
        reader.read(path)
    return Submission(student, reader.files, reader.unread, tuple(reader.others))


class _Reader:
    """Collects the notebooks of one student until a limit is reached."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.unread: dict[str, str] = {}
        self.others: list[str] = []
        self._bytes_left = MAX_ALL_BYTES
        self._entries_left = MAX_ENTRIES

    def read(self, top: Path) -> None:
        waiting = [(top, printable(top.name), 0)]
        while waiting:
            path, name, depth = waiting.pop()
            self._entries_left -= 1
            if self._entries_left < 0:
                self.unread[printable(top.name)] = TOO_MANY
                return
            with self._whatever_happens(name):
                if path.is_symlink():
                    self.unread[name] = LINK
                elif path.is_file():
                    self._read_file(path, name)
                elif not path.is_dir():
                    self.unread[name] = NOT_ORDINARY
                elif depth == MAX_DEPTH:
                    self.unread[name] = TOO_DEEP
                else:
                    inside = sorted(path.iterdir(), reverse=True)
                    waiting += [
                        (inner, f"{name}/{printable(inner.name)}", depth + 1)
                        for inner in inside
                        if not _is_left_over(inner.name)
                    ]

    @contextlib.contextmanager
    def _whatever_happens(self, name: str) -> Iterator[None]:
        """Turn whatever reading raises into a reason."""
        try:
            yield
        except OSError as problem:
            reason = f"it cannot be read ({problem.strerror or problem}): {AGAIN}"
            self.unread.setdefault(name, reason)
        except Exception:  # a hostile file can make the readers of archives raise anything
            self.unread.setdefault(name, DAMAGED)

    def _read_file(self, path: Path, name: str) -> None:
        ending = name.lower()
        if ending.endswith(NOTEBOOKS):
            with path.open("rb") as file:
                self._keep_notebook(name, file.read)
        elif not ending.endswith(ARCHIVES):
            self._is_left(name)
        elif path.stat().st_size > self._bytes_left:
            self.unread[name] = TOO_LARGE
        else:
            content = path.read_bytes()
            self._bytes_left -= len(content)
            read = self._read_zip if ending.endswith(".zip") else self._read_tar
            read(content, name)

    def _keep_notebook(self, name: str, read: Callable[[int], bytes]) -> None:
        """Keep a notebook, of which no more is read than the limits allow."""
        most = min(MAX_BYTES, self._bytes_left)
        content = read(most + 1)
        self._bytes_left -= len(content)
        if len(content) > most:
            self.unread[name] = TOO_LARGE
        elif len(self.files) == MAX_NOTEBOOKS:
            self.unread[name] = TOO_MANY
        else:
            while name in self.files:  # an archive may hold one name twice
                name += " (again)"
            self.files[name] = content

    def _is_left(self, name: str) -> bool:
        """Whether a file is no notebook. It may hold one only if it is some archive."""
        if name.lower().endswith((*ARCHIVES, *OTHER_ARCHIVES)):
            self.unread[name] = UNKNOWN_ARCHIVE
        elif not name.lower().endswith(NOTEBOOKS):
            self.others.append(name)
        return not name.lower().endswith(NOTEBOOKS)

    def _read_zip(self, content: bytes, name: str) -> None:
        # Counted before zipfile makes an object of each.
        if content.count(b"PK\x01\x02") > MAX_ENTRIES:
            self.unread[name] = TOO_MANY
            return
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for item in archive.infolist():
                inner = f"{name}/{printable(item.filename)}"
                if item.is_dir() or _is_left_over(item.filename) or self._is_left(inner):
                    continue
                if item.flag_bits & 1:
                    self.unread[inner] = PASSWORD
                elif item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    # Others may ask for gigabytes of memory before the first byte is out.
                    self.unread[inner] = UNKNOWN_ARCHIVE
                else:
                    with self._whatever_happens(inner), archive.open(item) as file:
                        self._keep_notebook(inner, file.read)

    def _read_tar(self, content: bytes, name: str) -> None:
        packed = io.BytesIO(content)
        is_gzip = content.startswith(b"\x1f\x8b")
        stream = gzip.GzipFile(fileobj=packed) if is_gzip else packed
        # As a stream, what is skipped is unpacked too: it counts as much as what is kept.
        limited = _Limited(stream, self._bytes_left)
        try:
            with tarfile.open(fileobj=limited, mode="r|") as archive:
                for number, item in enumerate(archive):
                    inner = f"{name}/{printable(item.name)}"
                    if number == MAX_ENTRIES:
                        self.unread[name] = TOO_MANY
                        return
                    if item.isdir() or _is_left_over(item.name):
                        continue
                    if not item.isfile():
                        self.unread[inner] = LINK
                    elif not self._is_left(inner) and (file := archive.extractfile(item)):
                        self._keep_notebook(inner, file.read)
        finally:
            if limited.left <= 0:
                self.unread[name] = TOO_LARGE


class _Limited(io.RawIOBase):
    """A stream that ends after so many bytes."""

    def __init__(self, stream: io.BufferedIOBase, most: int) -> None:
        self.stream, self.left = stream, most

    def read(self, size: int = -1) -> bytes:
        content = self.stream.read(min(size, self.left)) if self.left > 0 else b""
        self.left -= len(content)
        return content


def _is_left_over(name: str) -> bool:
    """Whether a path inside a submission belongs to an editor or to an operating system."""
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return any(part.startswith(".") or part in JUNK for part in parts)


def write_inbox(folder: Path, inbox: Inbox) -> None:
    rows = [
        [printable(path.name), student, _newest(path), ""]
        for student, paths in inbox.students.items()
        for path in paths
    ]
    rows += [[name, "", "", f"not graded: {why}"] for name, why in inbox.skipped.items()]
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / INBOX, ["file", "student", "modified", "remark"], rows)


def _newest(path: Path) -> str:
    """When the newest file of an entry was last changed; "" where that cannot be told."""
    newest, waiting, left = 0.0, [path], MAX_ENTRIES
    while waiting and left:
        place = waiting.pop()
        left -= 1
        try:
            if place.is_symlink():
                continue
            if place.is_dir():
                waiting += list(itertools.islice(place.iterdir(), left))
            else:
                newest = max(newest, place.stat().st_mtime)
        except OSError:  # nested too deep, or not to be read: the grading says so
            continue
    try:
        return datetime.fromtimestamp(newest).isoformat(" ", "minutes") if newest else ""
    except (ValueError, OverflowError, OSError):  # no year that a calendar has
        return ""


def students_in_inbox(root: Path) -> set[str] | None:
    """The students of whom the last run into ``root`` had a submission.

    None where no run has left its table.
    """
    return {student for student, _, _ in _rows(root)} if (root / INBOX).exists() else None


def entries_in_inbox(root: Path) -> dict[str, str]:
    """What each student's submission, or the first file of it, is called in the folder."""
    return {student: file for student, file, _ in reversed(_rows(root))}


def times_in_inbox(root: Path) -> dict[str, datetime]:
    """When the newest file of each student's submission was last changed, where that is known."""
    times = [(student, datetime.fromisoformat(text)) for student, _, text in _rows(root) if text]
    return {student: time for student, time in sorted(times)}


def _rows(root: Path) -> list[tuple[str, str, str]]:
    """Student, file and time of each entry that is somebody's."""
    rows = read_table(root / INBOX)[1] if (root / INBOX).exists() else []
    columns = ("student", "file", "modified")
    entries = [[row.get(name, "").removeprefix("'") for name in columns] for _, row in rows]
    return [(student, file, time) for student, file, time in entries if student]
