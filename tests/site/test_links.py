"""Badges, set-up cells and README's links to Colab come from the one address in address.txt."""

import importlib.util
import re
import shutil
import sys
import types

import pytest

from tools.notebooks.notebook_files import (
    EXECUTED_FOLDERS,
    FOLDERS,
    LINKS_LINE,
    ROOT,
    find_notebooks,
    loads_real_model,
    read_notebook,
)
from tools.site import stamp_links
from tools.site.stamp_links import Project

PLACEHOLDER = "https://github.com/OWNER/REPOSITORY"
FORK = "https://github.com/ada/attention-course"
ELSEWHERE = "https://gitlab.example.org:8443/group/ada/attention-course"


@pytest.fixture
def fork(tmp_path):
    """A copy of what carries links: the lessons, exercises of the first, and the README."""
    for path in find_notebooks(ROOT, FOLDERS):
        if path.parent.name == "notebooks" or path.stem[:2] == "01":
            copied = tmp_path / path.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copied)
    for name in ("pyproject.toml", "README.md", "address.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def without_links(root):
    for path in find_notebooks(root, FOLDERS):
        notebook = read_notebook(path)
        first = notebook.cells[0]
        first.source = LINKS_LINE.sub("", first.source)
        stamp_links.setup_cells(notebook)[0].source = ""
        yield notebook


def set_address(root, address):
    (root / "address.txt").write_text(address + "\n", encoding="utf-8")


def stamped_parts(root):
    """Return the texts that carry the address: first cells, set-up cells and the README."""
    for path in find_notebooks(root, FOLDERS):
        notebook = read_notebook(path)
        yield path.name, notebook.cells[0].source
        yield path.name, stamp_links.setup_cells(notebook)[0].source
    yield "README.md", stamp_links.block("syllabus").search((root / "README.md").read_text())[0]


def test_links_are_up_to_date(tmp_path):
    for name in (*FOLDERS, "pyproject.toml", "README.md", "address.txt"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    assert stamp_links.stamp_all(tmp_path) == [], "run make links"


def test_the_address_stands_in_one_place(fork):
    rest = list(without_links(fork))
    set_address(fork, FORK)
    changed = stamp_links.stamp_all(fork)
    assert list(without_links(fork)) == rest
    notebooks = [p.relative_to(fork).as_posix() for p in find_notebooks(fork, FOLDERS)]
    assert changed == [*notebooks, "README.md"]
    parts = list(stamped_parts(fork))
    assert len(parts) > 1
    for name, text in parts:
        assert "ada/attention-course" in text, name
        assert stamp_links.PLACEHOLDER not in text, name
    assert stamp_links.stamp_all(fork) == []


def test_until_it_is_published_each_badge_leads_to_the_page_that_says_how():
    project = Project(ROOT, PLACEHOLDER, "v1.2.3")
    for path in find_notebooks(ROOT, FOLDERS):
        badge = LINKS_LINE.match(project.links_line(path))[0]
        assert "colab.research.google.com/github" not in badge
        # In solutions/ a link is read as in exercises/, which is one level deep as well.
        (target,) = re.findall(r"\]\((\.\./[^)]*publishing\.md)\)", badge)
        assert (path.parent / target).resolve() == ROOT / "docs" / "publishing.md"
    assert project.colab_link("notebooks/x.ipynb") == ""


def test_another_host_has_no_badge_and_its_set_up_cell_works(fork):
    set_address(fork, ELSEWHERE)
    stamp_links.stamp_all(fork)
    for name, text in stamped_parts(fork):
        assert "colab.research" not in text and "publishing.md" not in text, name
    first, setup = list(stamped_parts(fork))[2:4]  # of lesson 01
    assert f"[The course]({ELSEWHERE}) is not on GitHub, so Colab cannot open it." in first[1]
    assert "[here](../exercises/01_soft_lookup/01_soft_lookup.ipynb)." in first[1]
    assert f"git+{ELSEWHERE}@colab-v" in setup[1]
    set_address(fork, FORK)  # and it can move
    assert stamp_links.stamp_all(fork)
    assert all("ada/attention-course" in text for _, text in stamped_parts(fork))


def test_links_lead_to_files_that_exist(fork):
    project = Project(ROOT, FORK, "v1.2.3")
    start = project.colab_address("")
    for path in find_notebooks(ROOT, FOLDERS):
        targets = [part.split(")")[0] for part in project.links_line(path).split("](")[1:]]
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
    assert [(path.name, to) for path, to in links if not (path.parent / to).is_file()] == []


NO_ADDRESSES = ("", "ada/course", "git@github.com:ada/course.git", "http://x/y/z")


@pytest.mark.parametrize("address", [*NO_ADDRESSES, FORK + "/x", FORK + '"; ls'])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="must look like https://github.com/OWNER/REPOSITORY"):
        stamp_links.checked_address(address)


@pytest.mark.parametrize("ending", ["/", ".git"])
def test_address_may_end_in_its_usual_ways(tmp_path, ending):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    set_address(tmp_path, FORK + ending)
    assert Project.read(tmp_path).address == FORK


def test_notebook_without_a_place_for_links_is_refused(fork):
    path = find_notebooks(fork, ("notebooks",))[0]
    path.write_text(path.read_text(encoding="utf-8").replace("[![Open in Colab]", "[!["))
    with pytest.raises(ValueError, match="needs one line that starts with"):
        stamp_links.stamp_all(fork)


class SetupCell:
    """Runs the set-up cell with a stand-in for pip, for Colab and for what is installed."""

    def __init__(self, monkeypatch):
        self.monkeypatch = monkeypatch
        self.commands = []
        self.brings_course_lib = True

    def run_line_magic(self, name, line):
        self.commands.append((name, line))
        if self.brings_course_lib:
            self.monkeypatch.setitem(sys.modules, "course_lib", types.ModuleType("course_lib"))

    def on_colab(self):
        self.monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
        return self

    def without_course_lib(self):
        self.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        self.monkeypatch.setitem(sys.modules, "course_lib", None)
        return self

    def run(self, address, **options):
        self.source = Project(ROOT, address, "v1.2.3").setup_cell(**options)
        exec(compile(self.source, "setup", "exec"), {"get_ipython": lambda: self})
        return self.commands

    def fails_with(self, address):
        """Return the line of the cell that a traceback points at."""
        with pytest.raises(ModuleNotFoundError) as caught:
            self.run(address)
        return self.source.splitlines()[caught.traceback[-1].lineno]


@pytest.fixture
def setup_cell(monkeypatch):
    return SetupCell(monkeypatch)


def test_setup_cell_does_nothing_where_course_lib_is_installed(setup_cell, capfd):
    assert setup_cell.run(FORK) == setup_cell.on_colab().run(FORK) == []
    assert setup_cell.run(PLACEHOLDER) == []
    assert capfd.readouterr() == ("", "")


def test_setup_cell_installs_what_the_badge_opens_on_colab(setup_cell):
    commands = setup_cell.on_colab().without_course_lib().run(FORK)
    assert commands == [("pip", f'install --quiet "course_lib @ git+{FORK}@colab-v1.2.3"')]


def test_setup_cell_brings_what_reads_a_real_model_where_one_is_loaded(setup_cell):
    setup_cell.on_colab().without_course_lib()
    ((_, line),) = setup_cell.run(FORK, real_model=True)
    assert '"course_lib[real] @ git+' in line
    needs = {path.stem for path in find_notebooks(ROOT) if loads_real_model(read_notebook(path))}
    assert needs == {"16_real_language_model", "17_serving"}


def test_setup_cell_that_fails_points_at_the_line_that_says_what_to_do(setup_cell):
    assert "`make lab`" in setup_cell.without_course_lib().fails_with(FORK)
    assert setup_cell.commands == []
    setup_cell.on_colab().brings_course_lib = False
    assert "In Colab: see pip (no private repositories)" in setup_cell.fails_with(FORK)
    assert len(setup_cell.commands) == 1
    assert "once this copy is published" in setup_cell.fails_with(PLACEHOLDER)
