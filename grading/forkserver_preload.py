"""What the server that submissions are forked from has done before: it is imported for that.

The first page takes as long as several others: nbconvert compiles its templates, SQLAlchemy sorts
out its tables, pygments looks for its lexers, Beautiful Soup lists the signs of HTML, and
jupyter_client what starts kernels. The server and what it starts are mute from here on: a grader
tells its worker how it ended, and the terminal is the run's.
"""

import gc
import logging
import os
import warnings

from jupyter_client.provisioning import KernelProvisionerFactory
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sqlalchemy.orm import configure_mappers

from grading import grade_one  # noqa: F401  which brings nbgrader's tables
from grading.feedback import feedback_page
from grading.results import Result

TEXT = new_markdown_cell("# A title & more\n\nand $x$.")
OUTPUTS = [
    new_output("stream", text="one\n"),
    new_output("display_data", data={"text/html": "<b style='color:red'>one</b>"}),
    new_output("error", ename="E", evalue="", traceback=["\x1b[31mE\x1b[0m"]),
]
CODE = new_code_cell("x = 1", outputs=OUTPUTS)
NOBODY = Result("nobody", "none", "", 0, True, {}, [], 0.0, 0.0)

logging.disable(logging.ERROR)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    feedback_page(new_notebook(cells=[TEXT, CODE]), NOBODY, {}, [])
    configure_mappers()
KernelProvisionerFactory.instance()
gc.collect()
gc.freeze()  # so that these pages stay shared, and are not looked through again
nowhere = os.open(os.devnull, os.O_WRONLY)
os.dup2(nowhere, 2)
os.close(nowhere)
