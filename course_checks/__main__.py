"""What a check says, in a shell: of one answer, or of a whole notebook before it is handed in.

python -m course_checks NAME FILE.py
python -m course_checks FILE.ipynb
"""

import runpy
import sys
import traceback
from pathlib import Path

USAGE = """\
python -m course_checks NAME FILE.py   what the check of exercise NAME says of NAME in FILE.py
python -m course_checks FILE.ipynb     what grading would find in a notebook"""


def main(arguments: list[str]) -> int:
    """Print the verdict; return 0 if it could be given, and of one answer only if it is right."""
    match arguments:
        case [path] if path.endswith(".ipynb"):
            return _of_notebook(path)
        case [name, path] if path.endswith(".py"):
            return _of_answer(name, path)
    print(USAGE, file=sys.stderr)
    return 2


def _of_answer(name: str, path: str) -> int:
    import course_checks

    if name not in course_checks.ALL:
        try:
            getattr(course_checks, name)  # which says what is missing, or what was meant
        except AttributeError as problem:
            print(problem, file=sys.stderr)
        return 2
    try:
        defined = runpy.run_path(path)
    except OSError as problem:
        print(f"{path}: {problem}", file=sys.stderr)
        return 2
    except BaseException as problem:  # sys.exit() in a student's file, too
        lines = [
            place.lineno
            for place in traceback.extract_tb(problem.__traceback__)
            if place.filename == path
        ]
        at = f", line {lines[-1]}" if lines else ""
        print(f"{path}{at} stopped: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2
    if name not in defined:
        own = [key for key, value in defined.items() if callable(value) and key[0] != "_"]
        print(f"{path} defines no {name}, but {', '.join(own) or 'nothing'}.", file=sys.stderr)
        return 2
    result = course_checks.ALL[name](defined[name])
    print(result)
    return 0 if result.points == result.max_points else 1


def _of_notebook(path: str) -> int:
    try:
        from course_checks.notebook.repair import CannotBeGraded
        from course_checks.notebook.validate import validate
    except ImportError as problem:
        print(f"Jupyter is missing ({problem}): pip install jupyterlab", file=sys.stderr)
        return 2
    try:
        lines = validate(Path(path))
    except (OSError, CannotBeGraded) as problem:
        print(f"{path}: {problem}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
