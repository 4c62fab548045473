"""Grade one submission, in a process of its own."""

import copy
import logging
import os
import resource
import shutil
import signal
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config

from course_checks.notebook.cells import imports_of
from course_checks.notebook.lacking import lacking
from course_checks.notebook.repair import CannotBeGraded, repair
from grading.execute import UntrustedExecute, error, read_points
from grading.feedback import exercise_names, feedback_page, plain_page
from grading.job import Job
from grading.judging import judging
from grading.launch import ZYGOTE, GraderKernelManager, environment_of, write_kernelspec
from grading.release import COURSE_ID, Release
from grading.results import MESSAGE, NOT_GRADED, TAMPERING, Graded, Result
from tools.notebooks.notebook_files import notebook_text

BY_EYE = "look at the notebook and grade it by hand"
WORKER_MEMORY = 4 * 2**30  # of the grader's own process, which reads what the kernel sends


class _Review(list[str]):
    """Why somebody should look at the result."""

    def add(self, kind: str, reasons: list[str]) -> None:
        self += [f"{kind}: {reason}" for reason in reasons]


def grade_apart(job: Job) -> Graded:
    """``grade`` in a process that was made for it."""
    # Ctrl-C reaches every process, and is left to the run, which ends this process then. The run
    # held it back. A handler, and not SIG_IGN, which the kernel would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    resource.setrlimit(resource.RLIMIT_DATA, (WORKER_MEMORY, WORKER_MEMORY))
    logging.disable(logging.ERROR)  # what matters is in the result
    warnings.simplefilter("ignore")
    return grade(job)


def grade(job: Job) -> Graded:
    """Grade ``job``; a submission that cannot be graded gets 0 points."""
    try:
        with tempfile.TemporaryDirectory(dir=job.workplace) as workplace:
            return _grade_in(job, Path(workplace))
    except Exception as problem:  # a person looks at this one, and the class goes on
        return ungraded(job, f"the grader stumbled over it ({type(problem).__name__})")


def ungraded(job: Job, reason: str) -> Graded:
    """The result of 0 points for a submission whose grading itself came to an end."""
    with tempfile.TemporaryDirectory(dir=job.workplace) as workplace:
        review = _Review()
        review.add(NOT_GRADED, [f"{reason}: {BY_EYE}"])
        return _finish(job, Path(workplace), _unanswered(job.release), review, time.monotonic())


def _grade_in(job: Job, workplace: Path) -> Graded:
    started, review = time.monotonic(), _Review()
    texts = [name for name in job.task.submission.others if "onlinetext" in name.lower()]
    review.add(MESSAGE, [f"{name} was not graded: read it" for name in texts])
    try:
        repaired = repair(job.task.submission, job.release.notebook, job.release.name)
    except CannotBeGraded as problem:
        review.add(NOT_GRADED, [str(problem)])
        return _finish(job, workplace, _unanswered(job.release), review, started)
    review.add("several notebooks", repaired.several)
    review.add("not read", repaired.unread)
    review.add("repaired", repaired.repairs)
    review.add(TAMPERING, repaired.forged)

    notebook = repaired.notebook
    gradebook, resources = _gradebook(job, workplace)
    sanitizers = [ClearOutput(), DeduplicateIds(), OverwriteKernelspec()]
    sanitizers += [OverwriteCells(add_missing_cells=True), CheckCellMetadata()]
    for step in sanitizers:
        notebook, resources = step.preprocess(notebook, resources)
    execute = _execute(job, notebook, workplace)
    no_points = read_points(notebook)
    if execute.stopped:
        review.add("stopped", [execute.stopped])
    review.add("time-out", [f"cell {number} was interrupted" for number in execute.timeouts])
    review.add("output dropped", [f"cell {number} printed too much" for number in execute.flooded])
    if not execute.stopped:
        review.add("no points to read", no_points)
    review.add("missing", lacking(notebook, execute.failed))
    review.add("several tries", list(dict.fromkeys(execute.several)))
    review.add("judge by hand", execute.unjudged)
    return _finish(job, workplace, notebook, review, started, execute.cpu_seconds)


def _execute(job: Job, notebook: NotebookNode, workplace: Path) -> UntrustedExecute:
    """Run the notebook in a sandboxed kernel that works in memory."""
    # Not below this submission's own folder: the path of a socket may have 107 characters.
    connection_dir = Path(tempfile.mkdtemp(prefix="k-", dir=job.workplace))
    try:
        zygote = job.workplace / ZYGOTE
        forked = zygote.exists()
        write_kernelspec(
            workplace,
            job.settings.limits,
            connection_dir,
            sandbox=job.settings.sandbox,
            shared=job.workplace,
            env=environment_of(job.release.notebook),
            forked=forked,
            as_user=job.settings.as_user,
        )
        os.environ["JUPYTER_PATH"] = str(workplace)
        config = Config()
        config.KernelManager.transport = "ipc"
        config.KernelManager.connection_file = str(connection_dir / "c.json")
        config.GraderKernelManager.zygote = str(zygote) if forked else ""
        config.GraderKernelManager.limits = job.settings.limits
        with judging(connection_dir, job.settings.seed) as judge:
            execute = UntrustedExecute(
                job.settings.limits,
                connection_dir,
                judge,
                imports_of(job.release.notebook),
                kernel_name="sandboxed",
                kernel_manager_class=GraderKernelManager,
                config=config,
            )
            execute.run(notebook)
        return execute
    finally:
        shutil.rmtree(connection_dir, ignore_errors=True)


def _unanswered(release: Release) -> NotebookNode:
    """The untouched release, in which every check cell counts as failed."""
    notebook = copy.deepcopy(release.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade"):
            cell.outputs = [error("the submission could not be graded")]
    return notebook


def _gradebook(job: Job, workplace: Path) -> tuple[Path, dict]:
    """A gradebook for this submission alone, and the resources that nbgrader's steps read."""
    path = workplace / "gradebook.db"
    if not path.exists():
        shutil.copy(job.release.gradebook, path)
        with Gradebook(f"sqlite:///{path}", COURSE_ID) as gradebook:
            gradebook.update_or_create_student(job.task.submission.student)
            gradebook.update_or_create_submission(job.release.name, job.task.submission.student)
    about = {
        "notebook": job.release.name,
        "assignment": job.release.name,
        "student": job.task.submission.student,
        "db_url": f"sqlite:///{path}",
    }
    return path, {"nbgrader": about}


def _finish(
    job: Job,
    workplace: Path,
    notebook: NotebookNode,
    review: _Review,
    started: float,
    kernel_cpu: float = 0.0,
) -> Graded:
    """Let nbgrader score the executed notebook; return the result with the feedback."""
    path, resources = _gradebook(job, workplace)
    for step in (LimitOutput(), SaveAutoGrades()):
        notebook, resources = step.preprocess(notebook, resources)
    name, student = job.release.name, job.task.submission.student
    with Gradebook(f"sqlite:///{path}", COURSE_ID) as gradebook:
        grades = gradebook.find_submission_notebook(name, name, student).grades
        points = {grade.name: [float(grade.auto_score or 0), grade.max_score] for grade in grades}
        # An answer in words; one that was left as it came has 0 points already.
        waiting = {grade.name for grade in grades if grade.auto_score is None}
    sources = {
        cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in notebook.cells
    }
    result = Result(
        student=student,
        assignment=name,
        key=job.task.key,
        made_of=job.task.made_of,
        seed=job.settings.seed,
        sandbox=job.settings.sandbox,
        points={grade_id: points[grade_id] for grade_id in sources if grade_id in points},
        review=list(review),
        seconds=round(time.monotonic() - started, 2),
        cpu_seconds=round(time.process_time() + kernel_cpu, 2),
        by_hand={grade_id: sources[grade_id] for grade_id in sources if grade_id in waiting},
    )
    text = notebook_text(notebook)
    names = exercise_names(job.release.notebook)
    try:
        show = plain_page if result.unreadable else partial(feedback_page, notebook)
        page = show(result, names, result.told)
    except Exception:  # whatever a notebook shows, its points are in the result already
        page = plain_page(result, names, [*result.told, "the notebook could not be shown"])
    return Graded(result, text, page)
