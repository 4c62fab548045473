"""Build the course's web site with Sphinx, into _site/: make site.

    python -m tools.site.build_site                   # as `make site`
    python -m tools.site.build_site --output FOLDER

First the pages are put together in build/site/pages: the notebooks (lesson_pages.py says what is
changed in them, live_widgets.py where their widgets come from) and docs/.
Then Sphinx makes HTML of what has changed, and every warning is an error. At the end each page
gets a policy that lets it load nothing from elsewhere.

The pages need neither Python nor a network, and work from a folder as well as from a server.
"""

import argparse
import base64
import hashlib
import html
import multiprocessing
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from nbformat import NotebookNode

from course_lib.figures.colours import PAGES, ROLES, ink
from course_lib.figures.site_pages import LIVE_PAGE, WHOLE_FIGURE
from tools.notebooks.minutes import LessonLoad, loads_of_lessons
from tools.notebooks.notebook_files import (
    ROOT,
    find_notebooks,
    notebook_text,
    read_notebook,
    without_outputs,
)
from tools.site import break_page
from tools.site.figure_code import FIGURE_CODE, FOLDED_CODE, PICTURE
from tools.site.formulas import Drawings, draw, formulas_of
from tools.site.hero import EFFECT_COLOUR, hero_html
from tools.site.lesson_pages import button, page_of
from tools.site.live_widgets import from_a_run, put_in
from tools.site.long_lines import with_breaks
from tools.site.model_in_browser import model_files
from tools.site.narrow_drawings import with_narrow_drawings
from tools.site.page_images import apart
from tools.site.phone_figures import drawn, phone_pictures, with_phone_pictures
from tools.site.section_search import section_scripts
from tools.site.shell import is_left_out, light, shell_files, words_of
from tools.site.stamp_links import Project
from tools.site.surprises import check_some
from tools.site.syllabus import (
    BRIDGE,
    LESSONS,
    NEEDED,
    PARTS,
    SHORT_WAY,
    Lesson,
    hours_of_all,
    mark,
)

FRONT_PAGE = Path("docs/_templates/front_page.md")

TRY = ("docs/break", "docs/caption_or_chance")
LOOK_UP = ("docs/claims", "docs/cheat_sheet", "docs/glossary", "docs/reference/index")
INSTALL = "install"  # the page that says where the code is
ABOUT = tuple(
    f"docs/{name}"
    for name in (
        INSTALL,
        "library",
        "speed",
        "instructors",
        "other_graders",
        "clusters",
        "testing",
        "publishing",
        "licences",
    )
)

# Ways through the course: what each is called, what it is, and its lessons; whether Deeper too.
WAYS = (
    (
        "The short way",
        "what attention is, heads, the mask, the block, what heads learn, the cache, a real model.",
        SHORT_WAY,
        False,
    ),
    ("The whole course", "every lesson, with what is under Deeper.", tuple(LESSONS), True),
    (
        "Only the evidence",
        "what may be said about a head, for who builds models already.",
        ("02", "03", "10", "11", "16"),
        False,
    ),
)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)([^>]*)>(.*?)</script>", re.DOTALL)
DATA_SCRIPT = re.compile(r"""type=["']?(?:application|text)/(?!javascript)""")
POLICY_TAG = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n?')


def write_if_changed(path: Path, content: str | bytes) -> None:
    """Write a file, and leave its date alone where it says so already: Sphinx goes by dates."""
    data = content.encode() if isinstance(content, str) else content
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


# ---------------------------------------------------------------- the pages


def page_of_docs(text: str, name: str, project: Project) -> str:
    """Return a page of docs/ as the site shows it.

    A link to what is on the site stays; one to another file of the course leads to where the course
    is, if that is known. The page on installing says where the code is.

    Args:
        text: the page as it stands in docs/.
        name: its name without the ending.
        project: whose address is taken.
    """

    def of_a_file(link: re.Match) -> str:
        words, path = link.groups()
        return f"[{words}]({project.file_address(path)})" if project.is_published else words

    outside = r"(?<!!)\[([^\]]+)\]\(\.\./(?!notebooks/|exercises/|docs/|\.\./)([^)]+)\)"
    text = re.sub(outside, of_a_file, text)
    text = break_page.filled(text, "..", project)
    if name == INSTALL:
        title, rest = text.split("\n", 1)
        text = f"{title}\n\n{where_the_code_is(project)}\n{rest}"
    return text


def where_the_code_is(project: Project) -> str:
    """Return the paragraph that leads to the course's files, if it knows its own address."""
    if not project.is_published:
        return (
            "These pages are for reading. To run the cells, and to write answers that are checked, "
            "take the course's folder. It has no public address yet: whoever gave you these pages "
            "has it. What follows is to be typed in that folder."
        )
    return (
        "These pages are for reading. To run the cells, and to write answers that are checked, get "
        f"the course from [its repository]({project.address}), for example with "
        f"`git clone {project.address}`. What follows is to be typed in its folder."
    )


def address_of(lesson: Lesson) -> str:
    return f"notebooks/{lesson.name}.ipynb"


def syllabus(project: Project, loads: dict[str, LessonLoad], pictures: dict[str, str]) -> str:
    """Return the lessons of each part: picture, what one learns there, minutes and exercises.

    Args:
        project: which knows which lessons have exercises.
        loads: how long each lesson takes, by its number.
        pictures: what the page of each lesson opens with, by its number.
    """
    cards = ['<ul class="lessons">']
    for part in PARTS:
        for lesson in part.lessons:
            page, picture = f"notebooks/{lesson.name}.html", pictures[lesson.number]
            exercises = ""
            if project.has_exercise(lesson.name):
                address = f"exercises/{lesson.name}/{lesson.name}.html"
                exercises = f' · <a href="{address}">exercises {lesson.exercise_minutes} min</a>'
            cards.append(
                f'<li><a href="{page}" tabindex="-1" aria-hidden="true">{picture}</a>'
                f"<p>{part.title}</p>"
                f'<p>{mark(lesson)}<a href="{page}">{lesson.number} {lesson.title}</a></p>'
                f"<p>{html.escape(lesson.able_to, quote=False)}</p>"
                f"<p>{loads[lesson.number].time} min{exercises}</p></li>"
            )
    return "\n".join([*cards, "</ul>"])


def small(first_screen: str) -> str:
    """Return the picture of a lesson's first screen as one that stands beside its name."""
    return re.sub(r'alt="[^"]*"', 'alt=""', next(PICTURE.finditer(first_screen))[0])


def ways_through(loads: dict[str, LessonLoad]) -> str:
    items = []
    for name, what, numbers, deeper in WAYS:
        which = ", ".join(f"[{number}]({address_of(LESSONS[number])})" for number in numbers)
        cores = round(sum(loads[number].core.minutes for number in numbers) / 60)
        length = f"about {sum(hours_of_all(loads)) if deeper else cores} hours"
        more = ", exercises counted" if deeper else ", exercises apart"
        items.append(f"- **{name}**, {length}{more}: {what} Lessons {which}.")
    return "\n".join(items)


def front_explorer():
    """Return an explorer of one layer of a real model."""
    from course_lib import causal_mask
    from course_lib.data.recorded import load_maps
    from course_lib.widgets import AttentionExplorer

    tokens, weights = load_maps()["The animal didn't cross the street because it was too tired"]
    tokens = [piece.strip() for piece in tokens]
    # Head 0 is the answer to the page's question.
    return AttentionExplorer.from_weights(
        weights[16], tokens, mask=causal_mask(len(tokens)), head=4, query=tokens.index("it")
    )


def toctree(caption: str, names: list[str], more: str = "") -> str:
    entries = "\n".join(names)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n{more}\n{entries}\n```"


def side_bar_entry(lesson: Lesson) -> str:
    """Return a lesson's line of a table of contents: its title, and the mark of the short way."""
    title = f"{lesson.number} · {lesson.title}\N{NO-BREAK SPACE}{mark(lesson)}".rstrip()
    return f"{title} <notebooks/{lesson.name}>"


def contents() -> str:
    """Return the hidden tables of contents, which fill the sidebar and say what comes next."""
    trees = [toctree("Try it", list(TRY))]
    trees += [toctree(part.title, [side_bar_entry(one) for one in part.lessons]) for part in PARTS]
    trees.append(toctree("To look up", list(LOOK_UP)))
    trees.append(toctree("About the course", list(ABOUT)))
    return "\n\n".join(trees)


def front_page(text: str, project: Project, pictures: dict[str, str]) -> str:
    loads = loads_of_lessons(project.root)
    first, second = LESSONS["00"], LESSONS["01"]
    widget = front_explorer().live_html("course-widget-front")
    blanks = {
        "first_steps": " ".join(
            (
                button(first.title, f"notebooks/{first.name}.html"),
                button(f"Lesson 01: {second.title}", f"notebooks/{second.name}.html"),
                button("Install it on your computer", f"docs/{INSTALL}.html"),
            )
        ),
        "hero": hero_html(),
        "widget": f"~~~~~~{{raw}} html\n{widget}\n~~~~~~",
        "needs": f"{NEEDED}. {BRIDGE}",
        "ways": ways_through(loads),
        "syllabus": syllabus(project, loads, pictures),
        "contents": contents(),
    }
    text = break_page.filled(text, ".", project)
    return re.sub(r"\{\{ (\w+) \}\}", lambda match: blanks[match[1]], text)


def role_styles() -> str:
    """Return the colours of the roles' words and of an effect, for the light and the dark page."""
    rules = []
    for page in PAGES:
        rules.append(f'html[data-theme="{page}"] {{ --effect: {EFFECT_COLOUR[page]}; }}')
        for role in ROLES:
            rules.append(f'html[data-theme="{page}"] .role-{role} {{ color: {ink(role, page)}; }}')
    return "\n".join(rules) + "\n"


def put_together(root: Path, build: Path) -> Path:
    """Write the pages that Sphinx reads, and remove those that are gone; return their folder."""
    project, pages = Project.read(root), build / "pages"
    wanted: dict[Path, str | bytes] = {}
    pictures: dict[str, str] = {}
    stored = [
        (path, read_notebook(path)) for path in find_notebooks(root, ("notebooks", "exercises"))
    ]
    breaker = model_files(root)
    spawn = multiprocessing.get_context("spawn")  # a process with threads is not forked
    cores = os.cpu_count()  # each lesson runs in a kernel of its own
    with ThreadPoolExecutor(cores) as kernels, ProcessPoolExecutor(cores, spawn) as processes:
        runs = [kernels.submit(from_a_run, notebook, path, root) for path, notebook in stored]
        is_so = processes.submit(check_some, root) if "manifest.json" in breaker else None
        phone = build / "phone"
        forms = [processes.submit(drawn, run.result()[WHOLE_FIGURE], phone) for run in runs]
    if is_so:  # the model is here
        is_so.result()
    for (path, notebook), run, form in zip(stored, runs, forms, strict=True):
        inside = path.relative_to(root)
        narrow = phone_pictures(notebook, form.result())
        put_in(notebook, run.result()[LIVE_PAGE])
        page = page_of(notebook, path, project)
        with_narrow_drawings(page, notebook)
        top = "../" * (len(inside.parts) - 1)
        for name, picture in with_phone_pictures(page, narrow, top).items():
            wanted[build / "static" / name] = picture
        if inside.parts[0] == "notebooks":
            pictures[path.stem[:2]] = small(page.cells[0].source)
        wanted[pages / inside] = notebook_text(page)
        download = notebook_text(without_outputs(NotebookNode(read_notebook(path))))
        wanted[build / "static" / "notebooks" / inside] = download
    for path in sorted((root / "docs").rglob("*")):
        if path.suffix in (".md", ".png", ".svg") and path.parent.name != FRONT_PAGE.parent.name:
            content: str | bytes = path.read_bytes()
            if path.suffix == ".md":
                content = page_of_docs(path.read_text(encoding="utf-8"), path.stem, project)
            wanted[pages / path.relative_to(root)] = content
    wanted[build / "static" / "roles.css"] = role_styles()
    for file, content in breaker.items():
        wanted[build / "static" / "breaker" / file] = content
    for path, content in wanted.items():
        write_if_changed(path, content)
    text = (root / FRONT_PAGE).read_text(encoding="utf-8")
    index = pages / "index.md"
    write_if_changed(index, front_page(text, project, pictures))
    for folder in (pages, build / "static"):
        for path in folder.rglob("*"):
            if path.is_file() and path not in wanted and path != index:
                path.unlink()
    return pages


# ---------------------------------------------------------------- Sphinx, and after it


def policy(page: str) -> str:
    """Return the Content-Security-Policy of a page: itself, and the scripts that stand in it."""
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
        for attributes, script in INLINE_SCRIPT.findall(page)
        if not DATA_SCRIPT.search(attributes)
    ]
    loads_model = break_page.LOADS in page or break_page.HERE in page
    runs_a_model = ["'wasm-unsafe-eval'"] if loads_model else []
    scripts = " ".join(["'self'", *runs_a_model, *sorted(set(hashes))])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'"
    )


def with_policy(page: str) -> str:
    """Return the page with its policy, which stands before all that it is about."""
    page = POLICY_TAG.sub("", page)
    tag = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy(page))}">\n'
    return re.sub(r"(<head[^>]*>\s*)", lambda match: match[1] + tag, page, count=1)


# What the theme leaves out, most of it for those who do not see the page.
REPAIRS = (
    (re.compile(r'(<button class="btn search-button-field[^>]*?)\s+aria-label="Search"'), r"\1"),
    (
        re.compile(r"<summary>(?=\s*<span class=\"toctree-toggle\")"),
        '<summary aria-label="Pages below this one">',
    ),
    (
        re.compile(r'(<div id="pst-primary-sidebar" class="[^"]*")>'),
        r'\1 role="navigation" aria-label="Course">',
    ),
    (FOLDED_CODE, f'<details class="folded-code"><summary>{FIGURE_CODE}</summary>'),
    # site.js marks the section in view; the theme's script marks none after a jump.
    (re.compile(r'(<nav) id="pst-page-toc-nav"'), r"\1"),
)

# What a page holds is a class of the page, <html class="hero-page">. Were a style sheet to ask with
# `:has`, a browser would look for it in the whole page at each tap.
KINDS = {
    "hero-page": 'id="hero"',
    "board-page": break_page.LOADS,
    "bets-page": 'id="bets"',
    "claims-page": 'class="verdict',
}
SIDEBAR = 'id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar'


def finished(page: str, static: Path, drawings: Drawings) -> str:
    """Return a page of Sphinx's as it is published: light, repaired, and with its policy."""
    page = light(with_breaks(drawings.put_into(page)), static)
    for pattern, repair in REPAIRS:
        page = pattern.sub(repair, page)
    if break_page.LOADS in page:  # its board comes before the course's pages, for the keyboard too
        page = page.replace(SIDEBAR, f"{SIDEBAR} pst-sidebar-hidden", 1)
    kinds = " ".join(kind for kind, mark in KINDS.items() if mark in page)
    if kinds:
        page = page.replace("<html ", f'<html class="{kinds}" ', 1)
    return with_policy(page)


def run_sphinx(root: Path, pages: Path, build: Path) -> tuple[int, Path]:
    """Make HTML of the pages that changed; return Sphinx's status and the folder of the HTML."""
    from sphinx.cmd.build import main as sphinx_build

    made = build / "html"
    options = ("-b", "html", "-W", "--keep-going", "-q", "-j", "auto")
    folders = ("-c", root / "docs", "-d", build / "doctrees", pages, made)
    return sphinx_build([*options, *map(str, folders)]), made


def publish(made: Path, pages: Path, more: Path, site: Path, root: Path = ROOT) -> int:
    """Copy what Sphinx made, finished, and return the number of pages.

    Args:
        made: the folder of Sphinx's HTML.
        pages: the folder of the pages that it was made of; HTML of pages that are gone stays out.
        more: a folder whose files go into _static.
        site: where to; what was there and no longer belongs there is removed.
        root: the course's folder, whose tools draw the formulas.
    """
    sources = {path.relative_to(pages).with_suffix("") for path in pages.rglob("*")}
    sources |= {Path("index"), Path("search"), Path("genindex"), Path("py-modindex")}
    contents: dict[Path, str | bytes] = {}
    for top, folder in ((Path(), made), (Path("_static"), more)):
        for path in sorted(folder.rglob("*")):
            inside = top / path.relative_to(folder)
            hidden = inside.name == ".buildinfo" or inside.parts[0] == "_sources"
            if not path.is_file() or hidden or is_left_out(inside):
                continue
            if inside.suffix == ".html" and "_static" not in inside.parts:
                if inside.with_suffix("") in sources:
                    contents[inside] = path.read_text(encoding="utf-8")
            else:
                contents[inside] = path.read_bytes()
    texts = {inside: page for inside, page in contents.items() if isinstance(page, str)}
    drawings = draw(
        {formula for page in texts.values() for formula in formulas_of(page)}, root, more.parent
    )
    for inside, page in texts.items():
        page, images = apart(page, "../" * (len(inside.parts) - 1))
        contents[inside] = finished(page, made / "_static", drawings)
        contents |= images
    own = [*more.rglob("*.js"), *(root / "docs" / "_static").glob("*.js")]  # not the theme's
    others = [path.read_text(encoding="utf-8") for path in own]
    words = words_of([*(page for page in contents.values() if isinstance(page, str)), *others])
    contents |= shell_files((made / "_static", more), words)
    worker = Path("_static/breaker/service_worker.js")
    if worker in contents:
        contents[Path(worker.name)] = contents.pop(worker)  # it answers for its folder and below
    contents |= section_scripts(texts, root)
    contents[Path(".nojekyll")] = ""  # GitHub Pages must not leave out _static
    for inside, content in contents.items():
        write_if_changed(site / inside, content)
    for path in site.rglob("*"):
        if path.is_file() and path.relative_to(site) not in contents:
            path.unlink()
    return len(texts)


def build_site(root: Path, build: Path, site: Path) -> int:
    """Build the site and return the number of its pages.

    Raises:
        RuntimeError: Sphinx warned of something, such as a dead link, and has said so.
    """
    pages = put_together(root, build)
    status, made = run_sphinx(root, pages, build)
    if status:
        raise RuntimeError("the site was NOT built: see the warnings above")
    return publish(made, pages, build / "static", site)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "_site")
    site = parser.parse_args().output.resolve()
    try:
        number = build_site(ROOT, ROOT / "build" / "site", site)
    except (FileNotFoundError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{number} pages in {site}; open {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
