"""What a graded notebook imports as course_checks has all its public names, and no exercise."""

import os
import subprocess
import sys

import course_checks as checks
from grading.sandbox import import_path, lay_out_door

SAY = "import course_checks; print(course_checks.__file__, *dir(course_checks))"


def test_the_door_offers_what_course_checks_does(tmp_path):
    about = {name: (check.title, check.max_points, "") for name, check in checks.ALL.items()}
    door = lay_out_door(tmp_path, about)
    where = os.environ | import_path(tmp_path)
    said = subprocess.run(
        [sys.executable, "-c", SAY], env=where, cwd=tmp_path, capture_output=True, text=True
    )
    file, *names = said.stdout.split()
    assert file == str(door / "__init__.py"), said.stderr
    assert set(checks.__all__) <= {*names}
    assert not (door / "exercises").exists()
