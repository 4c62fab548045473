"""What stands in the place of course_checks in the kernel of a notebook that is graded.

Each check is a door to the judge, who is in a process of his own and has the answers. This file is
the ``__init__.py`` there; ``sandbox.lay_out_door`` says what else is.
"""

import json
import socket
from pathlib import Path

from ipykernel.kernelapp import IPKernelApp
from IPython import get_ipython

from course_checks.examine import examine_ablation as examine_ablation
from course_checks.examine import examine_layer as examine_layer
from course_checks.judge.border import judged
from course_checks.judge.feedback import Result as Result
from course_checks.judge.lent import lent_by
from course_checks.judge.signature import NOTHING


class Check:
    """A check as notebooks know it, which can be called and has ``ready``."""

    def __init__(self, name: str, title: str, max_points: int, about: str) -> None:
        self.name, self.title, self.max_points, self.__doc__ = name, title, max_points, about

    def __call__(self, function=NOTHING, *, seed=None) -> Result:
        return self._ask(function, ready=False, seed=seed)

    def ready(self, function=NOTHING) -> bool:
        is_ready, words = self._ask(function, ready=True, seed=None)
        print(words, end="")
        return is_ready

    def _ask(self, function, **how):
        beside = Path(IPKernelApp.instance().connection_file)  # a notebook may clear os.environ
        with socket.socket(socket.AF_UNIX) as judge:
            judge.settimeout(None)  # a notebook may set another for its downloads
            judge.connect(str(beside.with_name("judge")))
            return judged(judge, function, {"name": self.name, **how})


def judged_with_the_courses_own(exercise: str, names: list[str]) -> Result:
    """The check of an answer while some functions of the notebook are the course's own.

    The notebook's own functions are back afterwards.
    """
    space = get_ipython().user_ns
    own = dict(space)
    for name in names:
        same = [key for key in own if own[key] is own.get(name, own)]  # it may have other names
        space.update(dict.fromkeys([name, *same], lent_by(name)))
    try:
        return ALL[exercise](own[exercise])
    finally:
        for name in names:
            space.pop(name, None)
        space.update(own)


ALL = {
    name: Check(name, *about)
    for name, about in json.loads(Path(__file__).with_name("checks.json").read_text()).items()
}
globals().update(ALL)
