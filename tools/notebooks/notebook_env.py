"""The one environment in which notebooks are executed, to store outputs and to compare them."""

import os
from pathlib import Path

THREADS = "COURSE_THREADS"  # set to another number by `make test-other-cpu`

# The checks of an exercise raise unless their status is this one.
EXPECTED_STATUS = {"solutions": "pass", "exercises": "todo"}


def kernel_environment(notebook_folder: Path, root: Path) -> dict[str, str]:
    """Return the environment variables of a kernel that runs a notebook in `notebook_folder`.

    Solutions must pass every check (COURSE_EXPECT=pass), exercises must leave every check open
    (COURSE_EXPECT=todo); lessons have no checks. The site has no page of a solution: where its
    pages are asked for (COURSE_LIVE_PAGES), solutions are not.
    """
    environment = dict(os.environ)
    threads = environment.get(THREADS, "1")
    environment.update(
        OMP_NUM_THREADS=threads,
        MKL_NUM_THREADS=threads,
        PYTHONHASHSEED="0",
        CUDA_VISIBLE_DEVICES="",
        TRITON_INTERPRET="1",  # before whatever else imports it: the kernels have no GPU
        TQDM_DISABLE="1",
    )
    environment.pop("COURSE_EXPECT", None)
    top_folder = Path(notebook_folder).resolve().relative_to(Path(root).resolve()).parts[:1]
    for folder, status in EXPECTED_STATUS.items():
        if top_folder == (folder,):
            environment["COURSE_EXPECT"] = status
    if top_folder == ("solutions",):
        environment.pop("COURSE_LIVE_PAGES", None)
    return environment
