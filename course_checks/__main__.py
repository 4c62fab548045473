"""`python -m course_checks FILE.ipynb`: what grading would find, before you hand in."""

import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("Which notebook? python -m course_checks FILE.ipynb", file=sys.stderr)
        return 2
    try:
        from course_checks.notebook.repair import CannotBeGraded
        from course_checks.notebook.validate import validate
    except ImportError as problem:
        print(f"Jupyter is missing ({problem}): pip install jupyterlab", file=sys.stderr)
        return 2
    try:
        lines = validate(Path(arguments[0]))
    except (OSError, CannotBeGraded) as problem:
        print(f"{arguments[0]}: {problem}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
