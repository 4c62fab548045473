"""What the server that submissions are forked from has done before: it is imported for that.

The first page takes as long as several others, since nbconvert compiles its templates, SQLAlchemy
sorts out its tables and pygments looks for its lexers. Done here, it is done for all.

The server and what it starts are mute from here on. A grader tells its worker how it ended; the
terminal is the run's, and one that is interrupted leaves no tracebacks of half-started processes.
"""

import logging
import os
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


def _be_mute() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


_warm()
_be_mute()
