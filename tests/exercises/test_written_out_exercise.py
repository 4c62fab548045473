"""The exercise that CONTRIBUTING writes out works as it stands."""

import re
import types

from course_lib.checks.judge.engine import judge
from notebook_files import ROOT


def test_the_example_of_an_exercise_is_one():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    source = re.search(r"## Add an exercise.*?```python\n(.*?)```", text, re.DOTALL)[1]
    module = types.ModuleType("written_out_exercise")
    exec(source, module.__dict__)
    exercise = module.EXERCISE
    for seed in range(20):
        assert judge(exercise, exercise.reference, seed).status == "pass"
        for mutant in exercise.mutants:
            result = judge(exercise, mutant.function, seed)
            assert (result.status, result.diagnosis) == ("wrong", mutant.name), str(result)
