"""What the parts of the judge do, each by itself, on values of every kind."""

import copy
import math
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_checks.exercise import Case
from course_checks.judge import (
    answers,
    calling,
    diagnose,
    errors,
    explain,
    feedback,
    observations,
    signature,
    source,
    tables,
    watchdog,
)

INF, NAN = math.inf, math.nan
ARGUMENTS = {
    "tensor": (torch.arange(3.0), lambda x: x.mul_(2)),
    "list": ([3, 1, 2], lambda x: x.sort()),
    "nested": (([1.0, torch.zeros(2)], "word"), lambda x: x[0][1].add_(1)),
    "longer": ([1.0], lambda x: x.append(2.0)),
    "module": (torch.nn.ModuleList([torch.nn.Linear(2, 2)]), lambda x: x[0].bias.data.add_(1)),
}


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_a_copy_shares_nothing_and_a_change_of_it_is_seen(kind):
    value, change = ARGUMENTS[kind]
    given = calling.copy_of(value)
    assert type(given) is type(value) and answers.same_argument(value, given)
    before = copy.deepcopy(value)
    change(given)
    assert not answers.same_argument(value, given) and not answers.same_argument(given, value)
    assert answers.same_argument(before, value)


def test_code_and_dtypes_of_what_is_given():
    for value, holds in ((1, False), ([torch.ones(1)], False), ((1, [abs]), True), (INF, False)):
        assert calling.holds_code(value) == holds
    assert calling.holds_code(torch.nn.ReLU()) and calling.holds_code([SimpleNamespace()])
    ones = (torch.ones(1), [torch.ones(1).half(), torch.ones(1).long()], 2)
    single, (half, whole), number = calling.in_float64(ones)
    found = (single.dtype, half.dtype, whole.dtype, number)
    assert found == (torch.float64, torch.float16, torch.int64, 2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_numbers_are_the_same_within_the_rounding_of_their_dtype(dtype):
    rtol, atol = (1e-2, 2e-3) if dtype == torch.float16 else (1e-4, 1e-5)
    want = torch.tensor([0.0, 1.0, -100.0, NAN, INF, -INF], dtype=torch.float64)
    step = atol + rtol * want.abs().nan_to_num(0, posinf=0)
    for factor, expected in ((0.9, True), (1.1, False)):
        found = answers.close(want.to(dtype), want + factor * step)
        assert found.tolist() == [expected] * 3 + [True] * 3
    assert answers.close(want, want.flip(0)).tolist() == [False] * 6
    assert answers._read_bool(np.bool_(False)) is False and answers._read_bool(0) is None
    assert answers.same(want, want) and not answers.same(want, want[None])
    assert answers.same([("a", (1,))], [("a", (1,))]) and not answers.same(True, False)


def test_values_in_words():
    for value, words in (
        (None, "None"),
        (1, "an int"),
        ("x", "a str"),
        (np.zeros(2), "a numpy.ndarray"),
        (torch.zeros(2, 3), "a torch.Tensor of shape (2, 3) and dtype torch.float32"),
        (torch.zeros(2, device="meta"), "(2,) and dtype torch.float32 on the device meta"),
        (torch.eye(2).to_sparse(), "a torch.sparse_coo torch.Tensor of shape (2, 2)"),
    ):
        assert answers.kind_of(value) in words or words in answers.kind_of(value)
    for arguments, words in (
        *(((0.0,), "0.000"), ((1.23456, 2), "1.23"), ((0.0005,), "5.00e-04"), ((0.001,), "0.001")),
        *(((99999.0,), "99999.000"), ((100000.0,), "1.00e+05"), ((-INF,), "-inf")),
        *(((3.0, 3, True), "3"), ((3.5, 3, True), "3.500")),
    ):
        assert feedback.number(*arguments) == words
    assert (feedback.count_of(1, "key"), feedback.count_of(2, "key")) == ("1 key", "2 keys")
    nouns = {"weights": "have", "loss": "has", "bias": "has", "output": "has"}
    assert {noun: feedback.verb(noun, "has") for noun in nouns} == nouns


def test_a_large_matrix_is_shown_around_the_first_difference():
    want = torch.arange(2 * 12 * 20.0).view(2, 12, 20)
    got = want.clone()
    got[1, 9, 11] += 1
    got[1, 9, 3] += 1e-5 * got[1, 9, 3]  # within rounding
    exercise = SimpleNamespace(arguments=("x", "mask", "large"))
    case = Case((torch.ones(2, 3), [True, False], torch.ones(5, 5)), None)
    trial = SimpleNamespace(
        expected={"": want},
        outcome=SimpleNamespace(answer={"": got}),
        case=case,
        integer_entries={},
    )
    (expected, yours), inputs = tables.tables_of(exercise, trial, "")
    assert yours.caption == ": yours [1] (from row 4, column 7)" and not expected.marked
    assert yours.rows == got[1, 4:12, 7:15].tolist() and yours.marked == {(5, 4)}
    assert feedback._text_side_by_side((yours,)).splitlines()[6].split()[4] == "432.000*"
    assert expected.rows == want[1, 4:12, 7:15].tolist() and yours.decimals == 3
    assert [table.caption for table in inputs] == ["input x", "input mask"]
    assert inputs[1].cell(0, 0) == "1" and inputs[0].cell(0, 0) == "1.000"
    with torch.device("meta"):  # whatever the notebook's default is
        assert tables._input_table("row", [1.0, 2.0]).rows == [[1.0, 2.0]]


def test_numbers_are_shown_with_the_digits_in_which_each_pair_differs():
    want, got = torch.tensor([[0.123456, 0.5], [0.12349, 0.5001]])
    answer, case = SimpleNamespace(answer={"": got}), Case((), None)
    trial = SimpleNamespace(expected={"": want}, outcome=answer, case=case, integer_entries={})
    shown, _ = tables.tables_of(SimpleNamespace(arguments=()), trial, "")
    cells = [[table.cell(0, column) for column in (0, 1)] for table in shown]
    assert cells == [["0.12346", "0.50000"], ["0.12349", "0.50010"]]


def test_shapes_in_an_error_that_nobody_passed():
    case = Case((torch.ones(2, 3, 4), 5), None)
    words = "mat1 and mat2 shapes cannot be multiplied ({})"
    exercise = SimpleNamespace(noun="function", kind="tensor")
    for sizes, is_ours in (("6x4 and 4x3", True), ("2x3 and 4x6", True), ("6x5 and 4x3", False)):
        said = errors.describe_error(exercise, case, RuntimeError(words.format(sizes)), " for x")
        assert said.startswith("Your function stopped with an error for x: RuntimeError: mat1")
        assert ("6x5 is no shape that we passed" in said) != is_ours
        assert "In a product the columns of the first must be as many as the rows" in said


def helper(x):
    return [x for _ in range(2)]


def test_what_the_source_of_a_function_says():
    def quick(x, unused, scale=1.0):
        return x * scale

    def slow(x):
        return helper(x)

    assert source.no_loop(quick) is None and source.no_loop(abs) is None
    text, line = source.no_loop(slow)
    assert "loops in Python in helper, which it calls." in text
    assert line == "line 2: return [x for _ in range(2)]"
    assert source.unused_arguments(quick) == ["unused"]
    assert source.unused_arguments(quick, ("unused",)) == source.unused_arguments(int) == []
    exercise = SimpleNamespace(parameters=["x", "unused"], noun="function")
    assert signature.other_arguments(exercise, quick) is None
    for other in (lambda x: x, lambda unused, x: x, lambda x, y, z: x):
        assert signature.other_arguments(exercise, other).got.startswith("(")
    assert signature.no_function(exercise, quick) is None
    assert signature.no_function(exercise, 3).got == "an int"
    of_class = SimpleNamespace(noun="class")
    assert signature.no_function(of_class, torch.nn.ReLU) is None
    instance = signature.no_function(of_class, torch.nn.ReLU())
    assert instance.got == "a torch.nn.modules.activation.ReLU"
    assert signature.no_function(exercise, signature.NOTHING).got == "nothing"


WANT = torch.tensor([[0.123456, 1.5], [2.25, -3.0]], dtype=torch.float64)
DIFFERENCES = [
    *[("tensor", WANT, WANT.round(decimals=n), "Yours are rounded") for n in range(1, 6)],
    ("tensor", WANT, WANT * 2.5, "off by up to 4.500{}. Here each entry of your weights is 2.500 "),
    ("tensor", WANT, WANT + 1, "Your weights are off by up to 1.000{}."),
    ("tensor", WANT, WANT.round(), "Your weights are off by up to 0.500{}."),
    ("tensor", WANT, WANT / 0, "Your weights became infinite{}."),
    ("tensor", WANT, WANT.where(WANT > 0, NAN), "have NaN (not a number) in 1 of 4 places{}. It"),
    ("tensor", WANT, WANT[0], "have shape (2,){}; expected (2, 2), that is a table."),
    ("tensor", WANT > 0, WANT > 2, "wrong in 2 of 4 places{} (in the tables, 1 means True)."),
    ("numbers", WANT[1], WANT[1] + 1, "Your weights are (3.250, -2){}; expected (2.250, -3)."),
    ("bool", True, False, "Your function says False{}; it should say True."),
    ("shapes", [("a", (1,))] * 2, [("a", (1,)), ("b", (2,))], "Pair 1 is ('b', (2,)); expected"),
    ("shapes", [("a", (1,))] * 2, [("a", (1,))], "Your list has 1 pair{}; expected 2."),
]


@pytest.mark.parametrize("kind, want, got, words", DIFFERENCES)
def test_how_an_answer_differs_is_said_in_words(kind, want, got, words):
    exercise = SimpleNamespace(
        kind=kind, returns={"weights": "a table"}, arguments=("x", "y", "keys", "row", "n")
    )
    args = (torch.ones(2, 3), torch.ones(1).half(), [[1.0], [2.0]], [1.0, 2.0], 7)
    trial = SimpleNamespace(
        case=Case(args, None),
        expected={"weights": want},
        outcome=SimpleNamespace(answer={"weights": got}),
        integer_entries={"weights": {1}} if kind == "numbers" else {},
    )
    asked = (
        " for x of shape (2, 3), y of shape (1,) and dtype torch.float16, "
        "2 keys of 1 number, a row of 2 numbers, n 7"
    )
    said = " ".join(explain._difference(exercise, trial, "weights"))
    assert words.format(asked) in said and ("rounded" in said) == ("rounded" in words)


@pytest.mark.parametrize(
    "dtype, near, far", [(torch.float16, 0.125, 0.25), (torch.float32, 1.83e-4, 1.98e-4)]
)
def test_two_wrong_answers_are_alike_up_to_rounding(dtype, near, far):
    one = torch.tensor([100.0, INF])
    for shift, expected in ((near, True), (far, False)):
        assert diagnose._are_alike(one, one, (one + shift).to(dtype)) == expected
    assert diagnose._are_alike(one[0], one, one) and not diagnose._are_alike(one, one, -one)


def test_what_a_run_shows_of_a_mistake_in_numbers():
    right = torch.tensor([[[0.25, 0.75], [0.5, 0.5]]])
    mine = 3 * right.half()
    for sentence, words in (
        (observations.row_sum(), "one row of your weights sums to 3.000; it should sum to 1."),
        (observations.column_sums(), "first row sums to 3.000, while each of your columns"),
        (observations.largest("weights"), "your weights is 2.250 instead of 0.750."),
        (observations.ratio("weights"), "each entry of your weights is 3.000 times what"),
        (observations.total(), "all your weights together sum to 6.000 instead of 2."),
    ):
        assert words in sentence((), {"weights": right}, {"weights": mine})
    mine[0, 0, 0] = -2050  # in half precision the row sums to -2048
    assert "sums to -2047.750" in observations.row_sum()((), {}, {"weights": mine})


@pytest.mark.parametrize("share, enough", [(0.1, 25), (1.0, math.inf)])
def test_a_call_is_stopped_by_the_clock_of_the_processor(monkeypatch, share, enough):
    looks, wait = [], time.sleep
    clock = SimpleNamespace(
        monotonic=lambda: looks.append(1) or 0.1 * len(looks),
        process_time=lambda: share * 0.1 * len(looks),
    )
    monkeypatch.setattr(watchdog, "time", clock)
    monkeypatch.setattr(watchdog, "PATIENCE", math.inf)

    def waits():
        while len(looks) < enough:
            wait(0.001)
        return "done"

    with watchdog.Watchdog(1.0) as dog:
        if enough == 25:  # two and a half seconds, a quarter of one of them the processor's
            assert dog.call(waits) == "done"
        else:
            with pytest.raises(watchdog.TimeLimit):
                dog.call(waits)
