"""Whatever lies in the inbox is read within limits, named, and stops nobody."""

import csv
import io
import json
import os
import subprocess
import tarfile
import tracemalloc
import zipfile

import nbformat
import pytest

from conftest import TOPIC, stored
from course_checks.notebook.repair import CannotBeGraded, repair
from grading import submissions
from grading.submissions import find_submissions, read_submission, students_in_inbox, write_inbox


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def notebook():
    return nbformat.writes(stored("solutions")).encode()


def read_all(inbox):
    found = find_submissions(inbox)
    return {name: read_submission(name, paths) for name, paths in found.students.items()}


def reason(submission, release):
    with pytest.raises(CannotBeGraded) as caught:
        repair(submission, release.notebook, TOPIC)
    return str(caught.value)


def zip_of(path, entries, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def tar_of(path, entries, mode="w:gz"):
    with tarfile.open(path, mode) as archive:
        for name, content in entries.items():
            item = tarfile.TarInfo(name)
            item.size = len(content)
            archive.addfile(item, io.BytesIO(content))


def broken_inside(path, notebook, method):
    """An archive whose directory is whole and whose packed data are not."""
    zip_of(path, {"a.ipynb": notebook}, method)
    content = bytearray(path.read_bytes())
    start = 30 + len("a.ipynb")
    content[start : start + 40] = b"\xff" * 40
    path.write_bytes(content)


def test_every_ending_is_somebodys(inbox, notebook, release):
    """In F3 each of these but the first two was in no table, or cost all points."""
    zip_of(inbox / "zip.ZIP", {"a/b.ipynb": notebook})
    tar_of(inbox / "tar.tar.gz", {"a/b.ipynb": notebook})
    tar_of(inbox / "tgz.tgz", {"b.IPYNB": notebook})
    tar_of(inbox / "plain.tar", {"b.ipynb": notebook}, "w")
    for name in ("lower.ipynb", "upper.IPYNB", "text.ipynb.txt", "json.ipynb.json"):
        (inbox / name).write_bytes(notebook)
    for name in ("code.py", "page.pdf", "seven.7z", "rare.rar", "nothing", "words.docx"):
        (inbox / name).write_bytes(b"not a notebook")
    (inbox / "link.ipynb").symlink_to(inbox / "lower.ipynb")
    (inbox / "link_to_folder").symlink_to(inbox)
    os.mkfifo(inbox / "pipe.ipynb")
    (inbox / "empty").mkdir()
    (inbox / ".DS_Store").write_bytes(b"x")
    (inbox / "__MACOSX").mkdir()
    read = read_all(inbox)
    readable = {"zip", "tar", "tgz", "plain", "lower", "upper", "text", "json"}
    for name in readable:
        assert list(read[name].files.values()) == [notebook], name
        assert repair(read[name], release.notebook, TOPIC).unread == []
    told = {name: reason(read[name], release) for name in read if name not in readable}
    assert set(told) == {
        *("code", "page", "seven", "rare", "nothing", "words"),
        *("link", "link_to_folder", "pipe", "empty"),
    }
    assert all("ask for the" in text for text in told.values()), told
    assert "only page.pdf" in told["page"]
    assert "link" in told["link"] and "link" in told["link_to_folder"]
    found = find_submissions(inbox)
    assert set(found.skipped) == {".DS_Store", "__MACOSX"}
    write_inbox(inbox.parent / "out", found)
    with open(inbox.parent / "out" / "inbox.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["file"] for row in rows} == {path.name for path in inbox.iterdir()}
    assert all(row["student"] or row["remark"] for row in rows)
    assert students_in_inbox(inbox.parent / "out") >= set(read)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_broken_packing_costs_its_own_file(inbox, notebook, release, method):
    broken_inside(inbox / "anna.zip", notebook, method)
    (inbox / "ben").mkdir()
    broken_inside(inbox / "ben" / "old.zip", notebook, method)
    (inbox / "ben" / "new.ipynb").write_bytes(notebook)
    read = read_all(inbox)
    assert "a.ipynb" in reason(read["anna"], release)
    done = repair(read["ben"], release.notebook, TOPIC)
    assert any("old.zip/a.ipynb" in line for line in done.unread)


def test_hostile_zip_files_are_told_in_words(inbox, notebook, release):
    zip_of(inbox / "name.zip", {"xx.ipynb": notebook})
    bad_name = (inbox / "name.zip").read_bytes().replace(b"xx.ipynb", b"\xff\xfe.ipynb")
    bad_name = bad_name.replace(b"PK\x03\x04\x14\x00\x00\x00", b"PK\x03\x04\x14\x00\x00\x08")
    bad_name = bad_name.replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x08"
    )
    (inbox / "name.zip").write_bytes(bad_name)
    with pytest.raises(UnicodeDecodeError):
        zipfile.ZipFile(inbox / "name.zip")
    (inbox / "cut.zip").write_bytes(zipped(notebook)[:-30])
    (inbox / "none.zip").write_bytes(b"PK nothing")
    locked = bytearray(zipped(notebook))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (inbox / "locked.zip").write_bytes(locked)
    (inbox / "inner.zip").write_bytes(zipped(zipped(notebook), "more.zip"))
    # Its header may name a dictionary of 4 GB, which would be there before the first byte.
    zip_of(inbox / "lzma.zip", {"a.ipynb": notebook}, zipfile.ZIP_LZMA)
    read = read_all(inbox)
    told = {name: reason(work, release) for name, work in read.items()}
    assert all("ask for the notebook" in text for text in told.values()), told
    assert "password" in told["locked"]
    assert "damaged" in told["name"] and "damaged" in told["cut"] and "damaged" in told["none"]
    assert "inner.zip/more.zip" in told["inner"] and "not opened" in told["lzma"]


def zipped(content, name="a.ipynb"):
    file = io.BytesIO()
    zip_of(file, {name: content})
    return file.getvalue()


def test_what_unpacks_without_end_is_cut(inbox, release, monkeypatch):
    """The limits scaled down by 100; in F2 a file of 1.8 MB took 3.9 GB."""
    monkeypatch.setattr(submissions, "MAX_BYTES", 300_000)
    monkeypatch.setattr(submissions, "MAX_ALL_BYTES", 1_000_000)
    nothing = bytes(290_000)
    zip_of(inbox / "many.zip", {f"{number}.ipynb": nothing for number in range(200)})
    zip_of(inbox / "one.zip", {"a.ipynb": bytes(50_000_000)})
    tar_of(inbox / "tar.tgz", {"a.bin": bytes(50_000_000), "b.ipynb": b"{}"})
    (inbox / "folder").mkdir()
    for number in range(20):
        (inbox / "folder" / f"{number}.ipynb").write_bytes(nothing)
    with open(inbox / "sparse.ipynb", "wb") as file:
        file.truncate(10**12)
    with open(inbox / "sparse.zip", "wb") as file:
        file.truncate(10**12)
    tracemalloc.start()
    try:
        read = read_all(inbox)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
    for name, work in read.items():
        assert sum(map(len, work.files.values())) <= 1_000_000, name
        assert any("too large" in why for why in work.unread.values()), (name, work.unread)
        assert "too large" in reason(work, release)


@pytest.fixture
def deep(inbox):
    """A folder in a folder, 1500 times: longer than a path may be."""
    here, top = os.getcwd(), inbox / "deep"
    top.mkdir()
    os.chdir(top)
    for _ in range(1500):
        os.mkdir("dddd")
        os.chdir("dddd")
    with open("a.ipynb", "w") as file:
        file.write("{}")
    os.chdir(here)
    yield
    subprocess.run(["rm", "-rf", top], check=True)  # pytest's own clean-up does not get that deep


def test_many_entries_and_deep_folders_are_cut(inbox, deep, release, monkeypatch):
    monkeypatch.setattr(submissions, "MAX_ENTRIES", 50)
    zip_of(inbox / "many.zip", {f"{number}.txt": b"" for number in range(60)})
    (inbox / "files").mkdir()
    for number in range(60):
        (inbox / "files" / f"{number}.txt").write_bytes(b"")
    read = read_all(inbox)
    told = {name: reason(work, release) for name, work in read.items()}
    assert "nested too deep" in told["deep"]
    assert "too many files" in told["many"] and "too many files" in told["files"]
    monkeypatch.setattr(submissions, "MAX_NOTEBOOKS", 3)
    for number in range(5):
        (inbox / "files" / f"{number}.ipynb").write_bytes(b"{}")
    monkeypatch.setattr(submissions, "MAX_ENTRIES", 5000)
    one = read_all(inbox)["files"]
    assert len(one.files) == 3 and "too many files" in " ".join(one.unread.values())


def test_a_file_that_the_system_refuses_is_told(inbox, notebook, release, monkeypatch):
    (inbox / "anna").mkdir()
    (inbox / "anna" / "a.ipynb").write_bytes(notebook)
    (inbox / "anna" / "b.ipynb").write_bytes(notebook)
    opened = submissions.Path.open

    def refuse(path, *arguments, **options):
        if path.name == "a.ipynb":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(submissions.Path, "open", refuse)
    done = repair(read_all(inbox)["anna"], release.notebook, TOPIC)
    (said,) = done.unread
    assert said.startswith("anna/a.ipynb: it cannot be read (Permission denied)")
    assert str(inbox) not in said


def test_names_in_latin_1_and_strange_letters_are_names(inbox, notebook):
    folder = os.fsencode(inbox)
    for name in (b"M\xfcller.ipynb", "Zoë.ipynb".encode(), "a\u202eb\n.ipynb".encode()):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(notebook)
    with open(inbox / ("x" * 240 + ".ipynb"), "wb") as file:
        file.write(notebook)
    read = read_all(inbox)
    assert {"Müller", "Zoë", "a_b_"} <= set(read)
    for name, work in read.items():
        assert list(work.files.values()) == [notebook]
        work.digest()
        assert len(name.encode()) <= 200
        (inbox.parent / name).mkdir()  # as a folder of results
    write_inbox(inbox.parent, find_submissions(inbox))
    assert students_in_inbox(inbox.parent) >= set(read)


def test_several_entries_of_one_student_are_one_submission(inbox, notebook, release):
    """In F2 they stopped the class."""
    (inbox / "anna.ipynb").write_bytes(notebook)
    (inbox / "anna.zip").write_bytes(zipped(notebook, f"{TOPIC}.ipynb"))
    (inbox / "anna").mkdir()
    (inbox / "anna" / "notes.pdf").write_bytes(b"%PDF")
    (one,) = read_all(inbox).values()
    assert sorted(one.files) == ["anna.ipynb", f"anna.zip/{TOPIC}.ipynb"]
    done = repair(one, release.notebook, TOPIC)
    assert done.several == [f"anna.zip/{TOPIC}.ipynb was graded, not anna.ipynb"]


NAME, COPY = f"{TOPIC}.ipynb", f"{TOPIC}-Copy1.ipynb"


def copies(answers, exercise):
    """{name: whether it is answered} -> files."""
    files = {}
    for name, how in answers.items():
        content = {"answered": stored("solutions"), "untouched": exercise}.get(how)
        if how == "half":
            content = stored("solutions")
            stubs = {cell.id: cell for cell in exercise.cells}
            content.cells[12:] = [stubs.get(cell.id, cell) for cell in content.cells[12:]]
        if how == "other":
            content = stored("solutions", "01_soft_lookup")
        files[name] = json.dumps(content).encode() if content else b"nonsense"
    return files


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [
        ({COPY: "half", NAME: "answered"}, NAME),
        ({COPY: "answered", NAME: "half"}, COPY),
        ({COPY: "answered", NAME: "untouched"}, COPY),
        ({"anna.ipynb": "half", "b.ipynb": "answered"}, "b.ipynb"),
    ],
)
def test_the_right_one_of_several_notebooks_is_graded_and_named(release, exercise, answers, chosen):
    files = {f"anna/{name}": content for name, content in copies(answers, exercise).items()}
    done = repair(submissions.Submission("anna", files), release.notebook, TOPIC)
    others = [name for name in answers if name != chosen]
    assert done.several == [f"anna/{chosen} was graded, not anna/{others[0]}"]
    # That the named one is what is graded: its answers are in the notebook.
    alone = {f"anna/{chosen}": files[f"anna/{chosen}"]}
    only = repair(submissions.Submission("anna", alone), release.notebook, TOPIC)
    assert [cell.source for cell in done.notebook.cells] == [
        cell.source for cell in only.notebook.cells
    ]


def test_notebooks_of_other_assignments_and_broken_ones_are_no_rivals(release, exercise):
    files = copies({"01.ipynb": "other", "02.ipynb": "answered", "03.ipynb": "broken"}, exercise)
    done = repair(submissions.Submission("anna", files), release.notebook, TOPIC)
    assert done.several == []
    (said,) = done.unread
    assert said.startswith("03.ipynb: it is not a notebook")


def test_half_a_character_costs_nothing(release, solution):
    """JSON can hold a lone surrogate and no file can: in F3 it cost all points."""
    for cell in solution.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source += "\n# \ud83d and \U0001f600"
    content = json.dumps(solution).encode()
    assert b"\\ud83d and" in content
    one = submissions.Submission("anna", {"anna.ipynb": content})
    done = repair(one, release.notebook, TOPIC)
    text = nbformat.writes(done.notebook).encode()  # can be written
    assert "\U0001f600".encode() in text and "# \ufffd and" in text.decode()


def test_nothing_there_is_said_at_once(tmp_path):
    with pytest.raises(ValueError, match="is not a folder"):
        find_submissions(tmp_path / "none")
    with pytest.raises(ValueError, match="no submissions"):
        find_submissions(tmp_path)
