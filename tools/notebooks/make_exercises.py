"""Make exercises/ from solutions/ with nbgrader's generate_assignment: make exercises."""

import logging
import shutil
import sys
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from tools.notebooks.notebook_files import (
    ROOT,
    find_notebooks,
    notebook_text,
    read_notebook,
    strip_volatile,
)


def generate_exercise(solution: Path, root: Path) -> str:
    """Return the text of the exercise that nbgrader makes from this solution.

    nbgrader works in a folder of its own, so that neither its gradebook nor a half-made exercise
    is left in the course.
    """
    topic = solution.parent.name
    with tempfile.TemporaryDirectory() as workplace:
        config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
        config.CourseDirectory.root = workplace
        config.CourseDirectory.assignment_id = topic
        config.CourseDirectory.notebook_id = solution.stem
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        course = CourseDirectory(config=config)
        source = Path(workplace, course.source_directory, topic, solution.name)
        source.parent.mkdir(parents=True)
        shutil.copy(solution, source)
        GenerateAssignment(coursedir=course, config=config).start()
        release = Path(workplace, course.release_directory, topic, solution.name)
        exercise = read_notebook(release)
        strip_volatile(exercise)
        return notebook_text(exercise)


def generate_all(root: Path) -> dict[Path, str]:
    """Return the path and the text of every exercise that belongs into exercises/."""
    solutions = find_notebooks(root, ("solutions",))
    return {
        root / "exercises" / path.relative_to(root / "solutions"): generate_exercise(path, root)
        for path in solutions
    }


def main() -> int:
    logging.getLogger("traitlets").setLevel(logging.WARNING)
    exercises = generate_all(ROOT)
    for path in find_notebooks(ROOT, ("exercises",)):
        if path not in exercises:
            path.unlink()
            print(f"{path.relative_to(ROOT)}: removed, it has no solution")
    for path, text in exercises.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        print(f"{path.relative_to(ROOT)}: made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
