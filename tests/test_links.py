"""Badges, set-up cells and README's links to Colab come from the one address in pyproject.toml."""

import builtins
import importlib.util
import re
import shutil
import subprocess
import sys
import types

import pytest

import stamp_links
from notebook_files import (
    EXECUTED_FOLDERS,
    FOLDERS,
    LINKS_LINE,
    ROOT,
    find_notebooks,
    loads_real_model,
    read_notebook,
)
from stamp_links import Project

PLACEHOLDER = "https://github.com/OWNER/REPOSITORY"
FORK = "https://github.com/ada/attention-course"


@pytest.fixture
def fork(tmp_path):
    """A copy of what carries links."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def set_address(root, address):
    path = root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    current = Project.read(root).address
    assert text.count(current) == 1
    path.write_text(text.replace(current, address), encoding="utf-8")


def stamped_parts(root):
    """Return the texts that carry the address: first cells, set-up cells and the README."""
    for path in find_notebooks(root, EXECUTED_FOLDERS):
        notebook = read_notebook(path)
        yield path.name, notebook.cells[0].source
        yield path.name, stamp_links.setup_cells(notebook)[0].source
    yield "README.md", stamp_links.block("syllabus").search((root / "README.md").read_text())[0]


def test_links_are_up_to_date(fork):
    assert stamp_links.stamp_all(fork) == [], "run make links"


def test_a_fork_needs_one_edit(fork):
    set_address(fork, FORK)
    changed = stamp_links.stamp_all(fork)
    notebooks = [p.relative_to(fork).as_posix() for p in find_notebooks(fork, EXECUTED_FOLDERS)]
    assert changed == [*notebooks, "README.md"]
    parts = list(stamped_parts(fork))
    assert len(parts) > 1
    for name, text in parts:
        assert "ada/attention-course" in text, name
        # What is left of the placeholder is the set-up cell's question whether it still stands.
        left = text.replace('if "OWNER/REPOSITORY" in ADDRESS', "")
        assert "OWNER/REPOSITORY" not in left, name
    assert stamp_links.stamp_all(fork) == []


def test_stamping_changes_only_the_links(fork):
    def rest(root):
        for path in find_notebooks(root, EXECUTED_FOLDERS):
            notebook = read_notebook(path)
            first = notebook.cells[0]
            first.source = LINKS_LINE.sub("", first.source)
            stamp_links.setup_cells(notebook)[0].source = ""
            yield notebook

    stamp_links.stamp_all(fork)  # minutes too, if they are due
    before = list(rest(fork))
    set_address(fork, FORK)
    stamp_links.stamp_all(fork)
    assert list(rest(fork)) == before


def test_links_lead_to_files_that_exist(fork):
    project = Project.read(ROOT)
    start = project.colab_address("")
    for path in find_notebooks(ROOT, FOLDERS):
        line = project.links_line(path)
        targets = [part.split(")")[0] for part in line.split("](")[1:]]
        in_colab = [target for target in targets if target.startswith(start)]
        here = [target for target in targets if target.startswith("..")]
        assert in_colab, path
        assert here or not project.has_exercise(path.stem), path
        for target in in_colab:
            assert (ROOT / target.removeprefix(start)).is_file(), target
        for target in here:
            # In solutions/ a link is read as in exercises/, which is one level deep as well.
            assert (path.parent / target).resolve().is_file(), target


def test_links_in_the_text_lead_to_files_that_exist():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    for path in find_notebooks(ROOT, EXECUTED_FOLDERS):
        cells = read_notebook(path).cells[1:]  # the first cell's are tested above
        texts[path] = "".join(cell.source for cell in cells if cell.cell_type == "markdown")
    links = [
        (path, target)
        for path, text in texts.items()
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)\s]*)?\)", text)
    ]
    assert len(links) > 5
    missing = [(path.name, to) for path, to in links if not (path.parent / to).is_file()]
    assert missing == []


@pytest.mark.parametrize("address", ["https://gitlab.com/ada/course", "ada/course", FORK + "/x"])
def test_address_that_colab_cannot_open_is_refused(fork, address):
    set_address(fork, address)
    with pytest.raises(ValueError, match="must look like https://github.com/OWNER/REPOSITORY"):
        stamp_links.stamp_all(fork)


@pytest.mark.parametrize("ending", ["/", ".git"])
def test_address_may_end_in_its_usual_ways(fork, ending):
    set_address(fork, FORK + ending)
    assert Project.read(fork).address == FORK


def test_notebook_without_a_place_for_links_is_refused(fork):
    path = find_notebooks(fork, ("notebooks",))[0]
    path.write_text(path.read_text(encoding="utf-8").replace("[![Open in Colab]", "[!["))
    with pytest.raises(ValueError, match="needs one line that starts with"):
        stamp_links.stamp_all(fork)


class SetupCell:
    """Runs the set-up cell with a stand-in for pip and for Colab."""

    def __init__(self, monkeypatch):
        self.monkeypatch = monkeypatch
        self.commands = []
        self.pip_result = subprocess.CompletedProcess([], 0, "", "")
        monkeypatch.setattr(subprocess, "run", self.record)

    def record(self, command, **options):
        self.commands.append(command)
        return self.pip_result

    def on_colab(self):
        self.monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
        return self

    def without_course_lib(self):
        self.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        return self

    def run(self, address, **options):
        source = Project(ROOT, address, "v1.2.3").setup_cell(**options)
        exec(compile(source, "setup", "exec"), {"__builtins__": builtins})
        return self.commands


@pytest.fixture
def setup_cell(monkeypatch):
    return SetupCell(monkeypatch)


def test_setup_cell_does_nothing_where_course_lib_is_installed(setup_cell, capfd):
    assert setup_cell.run(FORK) == []
    assert setup_cell.on_colab().run(PLACEHOLDER) == []
    assert capfd.readouterr() == ("", "")


def test_setup_cell_installs_the_tag_alone_on_colab(setup_cell, capfd):
    commands = setup_cell.on_colab().without_course_lib().run(FORK)
    package = f"course_lib @ git+{FORK}@v1.2.3"
    install = ["-m", "pip", "install", "--quiet", "--no-deps", package, "anywidget", "psygnal"]
    assert commands == [[sys.executable, *install]]
    assert capfd.readouterr() == ("", "")


def test_setup_cell_brings_what_reads_a_real_model_where_one_is_loaded(setup_cell):
    setup_cell.on_colab().without_course_lib()
    ((*_, reader, tokenizer),) = setup_cell.run(FORK, real_model=True)
    assert (reader, tokenizer) == ("gguf", "tokenizers")
    needs = {path.stem for path in find_notebooks(ROOT) if loads_real_model(read_notebook(path))}
    assert needs == {"16_real_language_model"}


def test_setup_cell_shows_why_the_installation_failed(setup_cell):
    setup_cell.pip_result = subprocess.CompletedProcess([], 1, "", "no such tag: v1.2.3")
    with pytest.raises(RuntimeError, match="could not install course_lib:\nno such tag"):
        setup_cell.on_colab().without_course_lib().run(FORK)


def test_setup_cell_says_what_to_do_while_the_address_is_missing(setup_cell):
    with pytest.raises(RuntimeError, match="owner sets Repository in pyproject.toml.*`make lab`"):
        setup_cell.on_colab().without_course_lib().run(PLACEHOLDER)
    assert setup_cell.commands == []


def test_setup_cell_says_what_to_do_at_home(setup_cell):
    with pytest.raises(ModuleNotFoundError, match="`make lab`"):
        setup_cell.without_course_lib().run(FORK)
    assert setup_cell.commands == []
