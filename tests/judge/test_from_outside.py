"""A judge in another process gives the same result, letter for letter, and gives no answer away."""

import math
import operator
import os
import pickle
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from types import SimpleNamespace

import pytest
import torch

import course_checks as checks
from course_checks.judge.border import judged, receive
from course_checks.judge.engine import Judge
from course_checks.judge.from_outside import REFERENCES, Student
from course_checks.judge.lent import Lender, lent_by
from course_checks.judge.plain_data import Unreadable, as_bytes, from_bytes
from course_checks.judge.verdict import BadForm, Outcome
from refusals import refuses
from tools.checks.exercise_sources import EXERCISES, answers_of, define, judge_of, solution_sources


def verdicts(judge, functions, lent=()):
    """The result of each function when it stands in another process than the judge."""
    ours, theirs = socket.socketpair()
    student = os.fork()
    if student == 0:
        ours.close()
        for name in [name for name in sys.modules if name.startswith("course_checks.exercises")]:
            sys.modules[name] = None  # it cannot be imported, as where a notebook is graded
        try:
            for function in functions:
                judged(theirs, function, {})
        finally:
            os._exit(0)
    theirs.close()
    found = []
    with ours:
        for _ in functions:
            receive(ours)
            lender = Lender({name: checks.ALL[name].exercise.reference for name in lent})
            found.append(judge(Student(ours, lender)))
            Student(ours)._send((True, None))
    os.waitpid(student, 0)
    return found


def unfinished(*args):
    return {}["nothing"]


@pytest.mark.parametrize("name", EXERCISES)
def test_both_ways_say_the_same(name):
    exercise = EXERCISES[name]
    written = answers_of(name).values()
    right = next(answer for answer in written if answer.is_right)
    # Not those that are made from the exercise's own, which the student's process does not have.
    alone = [answer for answer in written if "course_checks.exercises" not in answer.source]
    wrong = [answer for answer in alone if not answer.is_right][:1]
    answers = [define(solution_sources()[name][0], name)]
    answers += [answer.function() for answer in (right, *wrong)]
    answers += [exercise.mistakes[0].function]
    answers += [unfinished, None, lambda: 0]
    judge = copy(judge_of(name, 0))  # which knows by now what the mistakes do
    judge.mistakes = set()  # so that they run as any answer does
    for answer, result in zip(answers, verdicts(judge, answers), strict=True):
        assert result._repr_html_() == judge(answer)._repr_html_()


def test_a_function_of_the_courses_own_is_lent_with_its_gradients():
    scaled_scores = lent_by("scaled_scores")

    def single_head(x, w_query, w_key, w_value):
        query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
        weights = scaled_scores(query, key).softmax(dim=-1)
        return weights @ value, weights

    judge = Judge(EXERCISES["single_head"], seed=3)
    (result,) = verdicts(judge, [single_head], ["scaled_scores"])
    assert result.status == "pass"
    (result,) = verdicts(judge, [single_head])
    assert result.status == "error"  # nothing is lent that the judge does not know of


def test_an_error_of_the_other_process_is_raised_by_the_judge():
    ours, theirs = socket.socketpair()
    with ours, theirs, ThreadPoolExecutor(1) as other:
        judging = other.submit(judged, theirs, len, {})
        receive(ours)
        student = Student(ours)
        refuses(ZeroDivisionError, "division by zero", student.run, operator.truediv, 1, 0)
        assert student.run(operator.truediv, 1, 2) == 0.5
        student.tell("the end")
        assert judging.result() == "the end"


def test_what_is_lent_gives_no_code_away():
    claim = checks.ALL["head_claim"].exercise.reference
    refuses(TypeError, "is no data", Lender({"head_claim": claim}).answer, "head_claim", (), [])


@pytest.mark.parametrize("name", ["scaled_scores", "MyHead", "is_equivariant"])
def test_no_answer_leaves_the_judge(name):
    exercise = EXERCISES[name]
    (case, *_) = exercise.properties[0].cases(torch.Generator().manual_seed(0))
    assert exercise.reference in REFERENCES
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(5)
        ours.settimeout(5)
        student = Student(ours)
        for secret in (exercise.reference, exercise.mistakes[0], case):
            refuses(TypeError, "may not leave|cannot pickle", student.run, len, secret)
        student._send((False, exercise))
        sent = receive(theirs)
    assert not hasattr(pickle.loads(sent)[1], "reference")
    assert b"mistakes" not in sent


@pytest.mark.parametrize(
    "value",
    [
        None,
        [True, 3, -2.5, "text \ud83d", 10**40],
        ({"a": (1, [2])}, {3: None}),
        Outcome(answer={"scores": 1}, seconds=0.5),
        BadForm("a list of 3", "scores"),
    ],
)
def test_data_come_back_as_they_were(value):
    assert repr(from_bytes(as_bytes(value))) == repr(value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.bool])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_tensors_come_back_with_all_their_bits(dtype, shape):
    value = (torch.randn(shape, generator=torch.Generator().manual_seed(0)) * 2).to(dtype)
    for sent in (value, value.T if value.dim() == 2 else value, value.expand(2, *shape)):
        back = from_bytes(as_bytes(sent))
        assert back.dtype == dtype and back.shape == sent.shape and torch.equal(back, sent)
    special = torch.tensor([math.nan, math.inf, -0.0])
    assert from_bytes(as_bytes(special)).signbit().tolist() == special.signbit().tolist()


class OfTheirOwn(KeyError):
    pass


@pytest.mark.parametrize(
    "error",
    [KeyError("x"), ValueError("a", 3), ZeroDivisionError(), OSError(2, "gone"), OfTheirOwn("y")],
)
def test_errors_come_back_by_name_and_words(error):
    back = from_bytes(as_bytes(error))
    assert (type(back).__name__, str(back)) == (type(error).__name__, str(error))
    assert type(back) is type(error) or isinstance(error, OfTheirOwn)


@pytest.mark.parametrize("value", [object(), {1, 2}, len, SimpleNamespace(a=1), torch.Tensor])
def test_what_is_no_data_does_not_pass(value):
    refuses(TypeError, "is no data", as_bytes, value)


def test_bytes_of_any_kind_run_nothing():
    forged = [b"", b"\xff" * 40, pickle.dumps(sys.exit), as_bytes("x")[:-1]]
    forged += [as_bytes("x").replace(b'"x"', text) for text in (b'["", 1]', b'["os", {}]', b"[[]]")]
    for message in forged:
        with pytest.raises(Unreadable):
            from_bytes(message)
    with pytest.raises(Unreadable):  # a tensor that claims more than was sent
        from_bytes(as_bytes(torch.ones(2)).replace(b"[2]", b"[9]"))
