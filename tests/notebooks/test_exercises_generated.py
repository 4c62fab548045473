"""exercises/ is exactly what nbgrader makes from solutions/."""

from tools.notebooks.make_exercises import generate_all
from tools.notebooks.notebook_files import ROOT, find_notebooks


def test_exercises_are_those_of_the_solutions():
    generated = generate_all(ROOT)
    assert generated, "there are no solutions"
    stored = {
        path: path.read_text(encoding="utf-8") for path in find_notebooks(ROOT, ("exercises",))
    }
    names = [
        path.relative_to(ROOT).as_posix()
        for path in generated.keys() | stored.keys()
        if generated.get(path) != stored.get(path)
    ]
    assert not names, f"make exercises: {names} are not what solutions/ generates"


def test_every_file_lies_in_the_folder_of_its_topic():
    for path in find_notebooks(ROOT, ("solutions", "exercises")):
        assert path.relative_to(ROOT).parts[1:] == (path.stem, path.name)
