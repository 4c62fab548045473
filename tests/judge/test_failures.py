"""What a check says when a function is not just wrong, and what it must leave alone."""

import dataclasses
import itertools
import random
import re
import sys
import threading
import time
import warnings
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import course_checks as checks
from course_checks.judge import calling, engine, watchdog
from course_checks.judge.answers import same
from course_checks.judge.calling import copy_of, is_library
from refusals import refuses
from tools.checks.exercise_sources import judge_of

CHECKS_FOLDER = str(Path(checks.__file__).parent)
# A check of each kind of answer, and of each number of them.
KINDS = ("stable_softmax", "attend_all", "weights_at", "attend_by_hand", "is_equivariant")
KINDS += ("trace_shapes", "make_heads", "greedy_decode", "causal_mask", "linear_step")


@pytest.fixture(autouse=True)
def no_expectation(monkeypatch):
    monkeypatch.delenv("COURSE_EXPECT", raising=False)
    monkeypatch.delenv("COURSE_SEED", raising=False)


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr(engine, "TIME_LIMIT", 0.3)


def softmax(scores):
    return torch.softmax(scores, dim=-1)


def unfinished(scores):
    scores.softmax(dim=-1)


def stub(scores):
    raise NotImplementedError()


def raises(scores):
    return scores @ torch.ones(17)


def raises_in_torch(scores):
    return torch.vmap(lambda row: row.item())(scores)


def recurses(scores):
    return recurses(scores)


def leaves(scores):
    sys.exit(3)


def changes_its_input(scores):
    scores -= scores.amax(dim=-1, keepdim=True)
    return softmax(scores)


def random_numbers(scores):
    return softmax(scores) + 0.1 * torch.rand_like(scores)


class Counter:
    calls = 0

    def __call__(self, scores):
        self.calls += 1
        return softmax(scores) if self.calls < 14 else softmax(scores) * 2


FAILURES = [
    # (function, status, diagnosis, points, what the text must say)
    (stub, "todo", None, 0, r"Not done yet: write stable_softmax\(scores\)"),
    (raises, "error", None, 0, r"RuntimeError: size mismatch.*\n    line \d+: return scores @"),
    (raises_in_torch, "error", None, 0, r"line \d+: return torch\.vmap"),
    (recurses, "error", None, 0, r"calls itself without end[^\n]*\n    line \d+: return recurses"),
    (leaves, "error", None, 0, r"called exit[^\n]*\n    line \d+: sys\.exit"),
    (changes_its_input, "wrong", "changes_input", 5, "changes its input scores in place"),
    (random_numbers, "wrong", "answers_vary", 0, "two different answers to the same question"),
    (Counter(), "wrong", "answers_vary", 5, "a variable of the notebook that changes"),
    (lambda scores: softmax(scores).double(), "wrong", "dtype", 5, "have dtype torch.float64"),
    (lambda scores: softmax(scores).to("meta"), "wrong", None, 0, "on the device meta"),
    (lambda scores: softmax(scores).to_sparse(), "wrong", None, 0, "torch.sparse_coo torch.Tensor"),
    (lambda scores: None, "wrong", None, 0, "returned None: is there a return"),
    (lambda scores: print(scores), "wrong", None, 0, "print shows a value, return hands it back"),
    (lambda scores: softmax(scores).tolist(), "wrong", None, 0, "a list whose first entry is a "),
    (lambda scores: softmax(scores).numpy(), "wrong", None, 0, "a numpy.ndarray. Compute it with"),
    (lambda scores: (softmax(scores), 1), "wrong", None, 0, "It returned a tuple"),
    (lambda scores: softmax(scores)[0], "wrong", None, 0, r"shape \(3,\).*expected \(2, 3\)"),
    (lambda scores: softmax(scores) + 0.01, "wrong", None, 0, "off by up to 0.010"),
    (lambda scores: softmax(scores).log().log(), "wrong", None, 0, "NaN .not a number. in 6 of 6"),
    (lambda scores: softmax(scores) / 0, "wrong", None, 0, "became infinite"),
    (lambda: 0, "error", None, 0, r"called with 1 argument: scores. Yours is defined with \(\)"),
    (lambda a, b: 0, "error", None, 0, r"Yours is defined with \(a, b\)"),
    (None, "error", None, 0, "takes the function itself.* It was given None"),
    (torch.ones(2, 3), "error", None, 0, r"It was given a torch.Tensor of shape \(2, 3\)"),
]


@pytest.mark.parametrize(("function", "status", "diagnosis", "points", "text"), FAILURES)
def test_each_failure_has_its_own_message(function, status, diagnosis, points, text, capfd):
    result = checks.stable_softmax(function)
    assert (result.status, result.diagnosis, result.points) == (status, diagnosis, points)
    assert re.search(text, str(result)), str(result)
    assert "Traceback" not in str(result) and CHECKS_FOLDER not in str(result)
    assert repr(result) == repr(float(points))
    assert capfd.readouterr() == ("", "")  # stderr would cost all points in nbgrader


def test_number_of_answers():
    one = checks.attend_all(lambda query, key, value: value)
    assert "should return 2 things, (output, weights). It returned a torch.Tensor" in str(one)
    three = checks.attend_all(lambda query, key, value: (query, key, value))
    assert "It returned a tuple of 3" in str(three)
    generator = checks.attend_by_hand(lambda query, keys, values: ((x for x in ()), [1.0]))
    assert "a list of numbers as output. It returned a generator" in str(generator)


def test_a_loop_costs_the_point_for_the_loop_only():
    def with_loop(query, key, value):
        weights = torch.stack([softmax(key @ row) for row in query])
        return weights @ value, weights

    result = checks.attend_all(with_loop)
    assert result.points == result.max_points - 1
    assert "still loops in Python" in str(result) and "for row in query" in result.code


def test_a_students_test_that_returns_sums_or_fails():
    def sums(attention):
        return attention(torch.rand(3, 4), torch.rand(5, 4), torch.rand(5, 2))[1].sum(dim=-1)

    def wrong_shapes(attention):
        return bool(attention(torch.rand(3, 4), torch.rand(5, 3), torch.rand(5, 2)))

    assert "should return True or False" in str(checks.rows_sum_to_one(sums))
    assert "line" in checks.rows_sum_to_one(wrong_shapes).code
    assert "rand(5, 3)" in checks.rows_sum_to_one(wrong_shapes).code


# --- endless loops -----------------------------------------------------------------------------


def endless(scores):
    while True:
        scores = scores + 1


def endless_bare_except(scores):
    while True:
        try:
            scores = scores + 1
        except:  # noqa: E722
            continue


def endless_only_later(scores):
    while scores.dim() > 2:
        pass
    return softmax(scores)


LOOPS = [endless, endless_bare_except, endless_only_later]


@pytest.mark.parametrize("function", LOOPS)
@pytest.mark.parametrize("in_main_thread", [True, False])
def test_endless_loop_is_stopped(function, in_main_thread, short_limit):
    results = []
    if in_main_thread:
        results.append(checks.stable_softmax(function))
    else:
        thread = threading.Thread(target=lambda: results.append(checks.stable_softmax(function)))
        thread.start()
        thread.join(timeout=60)
    (result,) = results
    assert (result.status, result.points) == ("error", 0)
    assert "had not ended after 0.3 seconds" in str(result)
    assert re.match(r"line \d+: \w", result.code)


def watching():
    return [thread.name for thread in threading.enumerate() if "_watch" in thread.name]


def test_nothing_is_left_after_a_loop_was_stopped(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine, "TIME_LIMIT", 0.3)
        checks.stable_softmax(endless)
    for _ in range(200_000):  # a late exception would arrive here
        pass
    deadline = time.monotonic() + 60
    while (left := watching()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left == []
    assert checks.stable_softmax(softmax).status == "pass"


def test_slow_function_is_stopped(monkeypatch):
    """Each call ends in time, and all of them together take too long."""
    clock = itertools.count(step=engine.TIME_LIMIT / 2)  # a look at it takes this long
    monkeypatch.setattr(calling, "time", SimpleNamespace(process_time=lambda: next(clock)))
    result = checks.stable_softmax(softmax)
    assert (result.status, result.points) == ("error", 0)
    assert "too slow" in str(result)


def test_the_clock_does_not_count_imports(short_limit, monkeypatch, tmp_path):
    """torch imports for a second at its first optimizer."""
    name = "imports_for_long"
    busy = "import time\nend = time.process_time() + 1\nwhile time.process_time() < end: pass\n"
    (tmp_path / f"{name}.py").write_text(busy)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(watchdog, "PATIENCE", 100)

    def imports(scores):
        import_module(name)
        return softmax(scores)

    assert checks.stable_softmax(imports).status == "pass"
    assert name in sys.modules

    def imports_and_loops(scores):
        import_module(name)
        return endless(scores)

    assert "had not ended after 0.3 seconds" in str(checks.stable_softmax(imports_and_loops))


def test_the_users_interrupt_gets_through():
    def interrupted(scores):
        torch.set_grad_enabled(False)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.stable_softmax(interrupted)
    assert torch.is_grad_enabled()


# --- what must be left alone -------------------------------------------------------------------


@pytest.mark.parametrize("name", checks.ALL)
def test_what_a_notebook_has_set_changes_no_verdict_and_is_left_as_it_was(name):
    """Such as the default dtype, and the default device where one has begun on a GPU."""
    exercise = checks.ALL[name].exercise
    judge_all = engine.Judge(exercise, seed=0)

    def meddles(*args):
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float64)
        torch.manual_seed(0)
        random.seed(0)
        np.random.seed(0)
        warnings.warn("this would be stderr", stacklevel=1)
        return exercise.reference(*args)

    wrong = [exercise.mistakes[0].function] if name in KINDS else []
    torch.set_default_dtype(torch.float16)
    try:
        with torch.no_grad(), torch.device("meta"), warnings.catch_warnings():
            warnings.simplefilter("error")
            for function in (meddles, *wrong, exercise.reference):
                before = (torch.get_rng_state(), random.getstate(), str(np.random.get_state()))
                result = judge_all(function)
                assert torch.equal(before[0], torch.get_rng_state())
                assert before[1:] == (random.getstate(), str(np.random.get_state()))
                assert not torch.is_grad_enabled() and torch.empty(1).is_meta
                assert torch.get_default_dtype() == torch.float16
            assert result.status == "pass", str(result)
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_default_device_that_is_not_there_costs_nothing():
    with torch.device("cuda"):
        assert checks.scaled_scores(checks.scaled_scores.exercise.reference).status == "pass"


def test_a_module_is_copied_with_what_its_parts_share_and_shares_nothing_with_the_copy():
    part, other = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
    other.weight, other.friend = part.weight, [part]
    part.register_forward_hook(lambda module, given, output: output + 1)
    model = torch.nn.ModuleDict({"one": part, "again": part, "other": other})
    copied, beside = copy_of((model, part))
    assert copied["one"] is copied["again"] is copied["other"].friend[0] is beside is not part
    assert copied["other"].weight is beside.weight is not part.weight
    x = torch.ones(3)
    assert torch.equal(beside(x), part(x)) and not torch.equal(part(x), other(x))
    for name, held in vars(other).items():
        mine = vars(copied["other"])[name]
        assert type(mine) is type(held) and (mine is not held or held in (None, True, 3))
    other.__deepcopy__ = lambda memo: other  # as of a module that is to be looked at afterwards
    assert copy_of(model)["other"] is other
    with torch.no_grad():
        beside.weight.zero_()
    copied.register_forward_hook(print)
    assert part.weight.any() and not model._forward_hooks


def test_inputs_are_fresh_and_shared_with_nobody():
    seen = []

    def keeps(scores):
        seen.append(scores)
        result = softmax(scores)
        scores.zero_()
        return result

    first, second = checks.stable_softmax(keeps), checks.stable_softmax(keeps)
    assert first.diagnosis == second.diagnosis == "changes_input"
    assert first.points == first.max_points - 1  # the check's own numbers were not zeroed
    assert len({tensor.data_ptr() for tensor in seen}) == len(seen)


def test_a_reference_without_a_readable_answer_is_not_held_against_the_student():
    exercise = dataclasses.replace(
        checks.stable_softmax.exercise, reference=unfinished, mistakes=()
    )
    with pytest.raises(TypeError, match="^unfinished: this is said of the right answer: .* None"):
        engine.Check(exercise)(softmax)


@pytest.mark.parametrize("patched", ["isclose", "allclose", "equal", "softmax"])
def test_patched_torch_gives_no_points(patched, monkeypatch):
    always = torch.tensor(True)
    monkeypatch.setattr(torch, patched, lambda *args, **kwargs: always)
    result = checks.stable_softmax(lambda scores: scores * 2)
    assert result.status == "wrong" and result.points == 0


def test_answer_is_copied_before_it_can_change():
    buffer = {}

    def reuses(scores):
        out = buffer.setdefault(scores.shape, torch.empty_like(scores))
        out.copy_(softmax(scores))
        return out.to(scores.dtype)

    assert checks.stable_softmax(reuses).points >= 5


# --- the environment and ready -----------------------------------------------------------------


def test_course_expect(monkeypatch):
    monkeypatch.setenv("COURSE_EXPECT", "pass")
    assert checks.stable_softmax(softmax).status == "pass"
    for function in (stub, raises, lambda scores: scores, None):
        with pytest.raises(AssertionError, match="expected 'pass'.*\n.*stable_softmax: "):
            checks.stable_softmax(function)
    monkeypatch.setenv("COURSE_EXPECT", "todo")
    assert checks.stable_softmax(stub).status == "todo"
    for function in (softmax, raises, lambda scores: scores, None):
        refuses(AssertionError, "expected 'todo'", checks.stable_softmax, function)


def test_course_seed(monkeypatch):
    monkeypatch.setenv("COURSE_SEED", "17")
    assert checks.stable_softmax(lambda scores: scores).seed == 17
    assert checks.stable_softmax(lambda scores: scores, seed=3).seed == 3
    drawn = [sum(engine.draw_trials(checks.stable_softmax.exercise, n), []) for n in (3, 3, 4)]
    first, again, other = ([trial.call_seed for trial in trials] for trials in drawn)
    assert first == again and len({*first, *other}) == len(first + other)


@pytest.mark.parametrize("name", KINDS)
def test_ready(name, capfd, monkeypatch):
    def not_written(*args):
        raise NotImplementedError()

    check = checks.ALL[name]
    assert check.ready(check.exercise.reference) is True
    assert capfd.readouterr() == ("", "")
    title = f"Exercise {check.exercise.number} ({name})"
    zero = f"is not at full points yet (0 of {check.max_points}): see what its check says"
    monkeypatch.setenv("COURSE_EXPECT", "todo")  # asks, and does not raise
    for function, lacks in ((not_written, "comes first: write it"), (lambda *args: None, zero)):
        assert check.ready(function) is False
        assert capfd.readouterr() == (f"{title} {lacks}, then run this cell again.\n", "")


def test_without_a_function_a_check_says_what_to_pass(capfd, monkeypatch):
    wanted = "This check takes the function itself, as in "
    result = checks.stable_softmax()
    assert (result.status, result.points) == ("error", 0)
    assert f"{wanted}checks.stable_softmax(stable_softmax)" in str(result)
    assert "It was given nothing." in str(result)
    for given, words in (((), "nothing"), ((None,), "None"), ((NESTED,), "a nested torch.Tensor")):
        assert checks.stable_softmax.ready(*given) is False
        out, err = capfd.readouterr()
        assert f"{wanted}checks.stable_softmax.ready(stable_softmax)" in out and err == ""
        assert f"It was given {words}" in out


def test_a_name_that_no_check_has_is_told_the_near_ones():
    with pytest.raises(AttributeError, match="'stabel_softmax'. Did you mean stable_softmax"):
        _ = checks.stabel_softmax
    with pytest.raises(AttributeError, match="'xyz'. checks.ALL holds them all by name"):
        _ = checks.xyz
    refuses(ImportError, "scaled_score", exec, "from course_checks import scaled_score")
    assert not hasattr(checks, "stabel_softmax") and hasattr(checks, "stable_softmax")


@pytest.mark.parametrize("folder", ["course_lib_notes", "course_checks2/judge"])
def test_a_students_file_beside_the_library_is_the_students(folder):
    package = Path(checks.__file__).parent
    assert is_library(checks.__file__) and is_library(torch.__file__) and is_library(re.__file__)
    assert not is_library(str(package.parent / folder / "x.py"))


# --- answers that are no plain tensors ----------------------------------------------------------

ONES = torch.ones(2, 3)
NESTED = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])


class Marked(torch.Tensor):
    """A tensor of the student's own class."""


class Agreeing(torch.Tensor):
    """A tensor of which everything is said to be true."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.isclose, torch.equal, torch.Tensor.eq, torch.Tensor.all):
            return torch.tensor(True)
        return super().__torch_function__(function, types, args, kwargs or {})


class Refusing(torch.Tensor):
    """A tensor with which nothing can be done."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        raise RuntimeError("not with this tensor")


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("nothing to say")

    __repr__ = __str__


ODD = {
    "nested": NESTED,
    "jagged": torch.nested.nested_tensor([ONES, torch.ones(3, 3)], layout=torch.jagged),
    "quantized": torch.quantize_per_tensor(ONES, 0.1, 0, torch.quint8),
    "sparse": ONES.to_sparse(),
    "rows compressed": ONES.to_sparse_csr(),
    "meta": ONES.to("meta"),
    "oneDNN": ONES.to_mkldnn() if torch.backends.mkldnn.is_available() else ONES.to_sparse(),
    "complex": ONES.to(torch.complex64),
    "8 bits": ONES.to(torch.float8_e4m3fn),
    "parameter": torch.nn.Parameter(ONES),
    "subclass": ONES.as_subclass(Marked),
    "agrees with all": ONES.as_subclass(Agreeing),
    "refuses": ONES.as_subclass(Refusing),
}


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", KINDS)
def test_no_tensor_makes_a_check_raise(name, kind):
    value, count = ODD[kind], len(checks.ALL[name].exercise.returns)
    returned = [value, (value,), [value] * count, (value,) * count, ((value,),) * count]
    returned += [[("a name", value)], {"a": value}, [1.0, value]]
    for answer in returned:
        result = judge_of(name, 0)(lambda *args, answer=answer: answer)
        assert result.status in ("wrong", "error") and str(result) and result._repr_html_()
    assert checks.ALL[name](value).status == "error"


def test_a_tensors_own_class_has_no_say_in_whether_it_is_right():
    wrong = checks.stable_softmax(lambda scores: (scores * 2).as_subclass(Agreeing))
    assert wrong.status == "wrong" and wrong.points == 0
    right = checks.stable_softmax(lambda scores: softmax(scores).as_subclass(Marked))
    assert right.status == "pass", str(right)


@pytest.mark.parametrize("name", KINDS)
def test_an_error_that_cannot_be_shown_does_not_make_a_check_raise(name):
    def fails(*args):
        raise Silent

    result = checks.ALL[name](fails)
    assert result.status == "error" and "Silent" in str(result)


def test_an_answer_finds_no_right_one_while_it_is_asked():
    """Not in the frames above it, and so nowhere else: none has been worked out."""

    def scaled_scores(query, key):
        frame = sys._getframe()
        while "trial" not in frame.f_locals:
            frame = frame.f_back
        return frame.f_locals["trial"].expected["scores"]

    result = checks.scaled_scores(scaled_scores)
    assert result.points == 0
    assert "KeyError" in str(result)


def test_a_layer_that_an_answer_spoils_does_not_make_it_right():
    def spoil(layer):
        for cell in layer.__closure__ or ():
            if isinstance(cell.cell_contents, torch.Tensor):
                cell.cell_contents.zero_()
            elif callable(cell.cell_contents):
                spoil(cell.cell_contents)

    def spoils(layer, x):
        spoil(layer)
        return True

    told = checks.is_equivariant(lambda layer, x: True, seed=1)
    assert checks.is_equivariant(spoils, seed=1).points == told.points < told.max_points


def test_names_that_are_equal_to_everything_are_no_answer():
    class Any(str):
        def __eq__(self, other):
            return True

    right = checks.trace_shapes.exercise.reference

    def trace_shapes(module, x):
        return [(Any("x"), shape) for _, shape in right(module, x)]

    def choose_layers(num_layers, window, key_dim, distance, pairs):
        return [Any("global")] * num_layers

    assert checks.trace_shapes(trace_shapes).points == 0
    assert checks.choose_layers(choose_layers).points == 0


def test_a_setting_of_a_module_may_not_change():
    """Its numbers are the same afterwards, and it computes something else."""

    def encode(encoder, x):
        output = checks.encode.exercise.reference(encoder, x)
        for layer in encoder.layers:
            layer.norm_first = not layer.norm_first
        return output

    result = checks.encode(encode, seed=0)
    assert result.points == result.max_points - 1 and result.diagnosis == "changes_input"


def test_an_empty_answer_of_lists_has_no_columns():
    """torch.tensor([]) cannot say how many there would be."""
    nothing = torch.zeros(0, 3)
    assert same(nothing, torch.zeros(0)) and not same(nothing, torch.zeros(1, 3))


def test_scores_are_stretched_where_the_exercise_says_so():
    def capped(query, key, value, past_key, past_value):
        right = checks.cached_attend.exercise.reference
        return right(query.clamp(-9, 9), key, value, past_key, past_value)

    result = checks.cached_attend(capped, seed=0)
    assert result.points < result.max_points
    assert "with a query 30 times as large" in str(result)
    assert checks.cached_attend.exercise.stretched == "query"
