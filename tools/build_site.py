"""Render the lessons as web pages with live widgets: make site.

    python tools/build_site.py                   # all lessons, into _site/
    python tools/build_site.py --output FOLDER

Each lesson is run, so that its widgets can put themselves into the page. The pages work without
Python and without a network, but for formulas, which MathJax draws.
"""

import argparse
import html
import os
import re
import shutil
import sys
from pathlib import Path

from nbconvert import HTMLExporter
from nbformat import NotebookNode

from course_lib.widgets.course_widget import LIVE_PAGES
from notebook_files import ROOT, find_notebooks, read_notebook
from refresh import run_notebook

INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>A course on attention</title>
<style>
body {{ font: 17px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; }}
main {{ padding: 0 1rem; }}
li {{ margin: 0.5rem 0; }}
</style>
</head>
<body>
<main>
<h1>A course on attention</h1>
<p>The lessons to read and to touch. To run and change the code, open the notebooks.</p>
<ul>
{items}
</ul>
</main>
</body>
</html>
"""


def title_of(notebook: NotebookNode) -> str:
    """The text of the first heading."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search(r"^# (.+)$", cell.source, re.M)):
            return found[1].strip()
    raise ValueError("the notebook has no heading")


def render(path: Path, root: Path) -> tuple[str, str]:
    """Run a notebook and return its title and its page."""
    notebook = read_notebook(path)
    os.environ[LIVE_PAGES] = "1"
    try:
        run_notebook(notebook, path.parent, root)
    finally:
        del os.environ[LIVE_PAGES]
    title = title_of(notebook)
    exporter = HTMLExporter(require_js_url="", exclude_input_prompt=True)
    exporter.exclude_output_prompt = True
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})
    return title, page.replace('<script src=""></script>', "")


def build(notebooks: list[Path], root: Path, site: Path) -> list[Path]:
    """Write a page for each notebook, and the index; return the pages.

    Files stand as in the course, so that links between lessons and exercises keep working.
    """
    pages, items = [], []
    for path in notebooks:
        title, text = render(path, root)
        page = site / path.relative_to(root).with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
        pages.append(page)
        address = page.relative_to(site).as_posix()
        items.append(f'<li><a href="{html.escape(address)}">{html.escape(title)}</a></li>')
    (site / "index.html").write_text(INDEX.format(items="\n".join(items)), encoding="utf-8")
    return pages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "_site")
    site = parser.parse_args().output
    if site.exists():
        shutil.rmtree(site)
    pages = build(find_notebooks(ROOT, ("notebooks",)), ROOT, site)
    if (ROOT / "exercises").is_dir():
        shutil.copytree(ROOT / "exercises", site / "exercises")
    print(f"{len(pages)} lessons in {site}; open {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
