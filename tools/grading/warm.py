"""What the server that submissions are forked from has done before: it is imported for that.

The first page takes as long as several others, since nbconvert compiles its templates, SQLAlchemy
sorts out its tables and pygments looks for its lexers. Done here, it is done for all.
"""

import logging
import warnings

import nbformat
from sqlalchemy.orm import configure_mappers

from grading import grade_one  # noqa: F401  which brings nbgrader's tables
from grading.feedback import feedback_page
from grading.results import Result

SMALL = nbformat.v4.new_notebook(
    cells=[
        nbformat.v4.new_markdown_cell("# A title\n\nand $x$."),
        nbformat.v4.new_code_cell(
            "x = 1", outputs=[nbformat.v4.new_output("stream", text="one\n")]
        ),
    ]
)
NOBODY = Result("nobody", "none", "", 0, True, {}, [], [], 0.0, 0.0)


def _warm() -> None:
    logging.disable(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        feedback_page(SMALL, NOBODY, {}, [])
        configure_mappers()


_warm()
