"""Lesson 14, exercise 7: the layers that a look-up needs, and no dearer ones. They are run."""

from itertools import combinations_with_replacement

from course_checks.exercise import Case, Exercise, Property, randint
from course_checks.exercises.bounded_memory.look_up_run import KINDS, answers, rows
from course_checks.judge.answers import kind_of


def choose_layers(num_layers, window, key_dim, distance, pairs):
    layers = ["window"] * num_layers
    if distance < window:
        return layers  # the question sees all pairs itself
    if pairs == 1 and distance <= num_layers * (window - 1):
        return layers  # one pair is handed on from window to window
    layers[-1] = "state" if pairs <= key_dim else "global"
    return layers


MISTAKES = """
windows_only: return layers => return ["window"] * num_layers
    You take windows whatever is asked. They find what lies in sight, and hand one pair on. For the
    rest, a layer that remembers more is needed.
global_only: lambda num_layers, *rest: ["global"] * num_layers
    You take a global layer everywhere. It keeps everything: look for tasks where fewer rows do.
states_only: lambda num_layers, *rest: ["state"] * num_layers
    You take a state everywhere. It keeps no more pairs apart than its keys have numbers, and where
    windows are enough they are cheaper.
reach_is_not_use: pairs == 1 and ->
or: pairs == 1 -> pairs <= key_dim
    Your windows hand on several pairs. They can hand on one: with more, the positions between do
    not know which one will be asked for.
never_handed_on: pairs == 1 -> False
    You let a question find only what lies in its own window. One single pair is handed on from
    layer to layer: num_layers windows reach num_layers * (window - 1).
reach_too_long: (window - 1) -> window
    You count num_layers * window. A window holds the position itself: count window - 1 a layer.
reach_one_short: <= num_layers -> < num_layers
    At the very edge of the reach, num_layers * (window - 1), windows still find the pair.
reach_of_fewer_layers: num_layers * (window - 1) -> (num_layers - 1) * (window - 1)
    You count one layer too few: all num_layers layers hand the pair on.
window_too_long: distance < window -> distance <= window || distance <= window + 1 || \
        distance <= window + 2
    You let a question see too far back. It sees itself and window - 1 before: distance < window.
sight_forgotten: distance < window -> False
    You take more than windows where all pairs lie in the question's own window. It sees them
    itself.
state_for_any_number: "state" if pairs <= key_dim else "global" -> "state"
    You take a state for any number of pairs. It keeps no more than key_dim of them apart.
never_a_state: "state" if pairs <= key_dim else "global" -> "global"
    You never take a state. It finds up to key_dim pairs, and keeps fewer rows than a global layer
    of a longer text.
state_one_short: pairs <= key_dim -> pairs < key_dim || pairs <= key_dim + 1
    You miscount by one what a state keeps apart. It is just key_dim pairs.
state_by_distance: pairs <= key_dim -> distance <= key_dim || pairs <= window
    What a state keeps apart is the number of pairs, at any distance: compare it with key_dim.
all_layers_of_it: layers[-1] = "state" if pairs <= key_dim else "global" -> \
        layers = ["state" if pairs <= key_dim else "global"] * num_layers
or: layers[-1] = "state" if pairs <= key_dim else "global" -> \
        layers[1::2] = ["state" if pairs <= key_dim else "global"] * (num_layers // 2)
    Where windows are not enough you exchange several layers. One finds the pairs for the question.
one_pattern: layers = ["window"] * num_layers -> return ["window"] * (num_layers - 1) + ["global"]
or: layers = ["window"] * num_layers -> return ["window"] * (num_layers - 1) + ["state"]
    You give the same layers for every task. Ask what each needs: does the question see the pairs,
    can one pair be handed on, does a state keep them apart?
"""


def finds_all(layers, window, key_dim, distance, pairs):
    """What ``look_up_run`` finds when it runs these layers; tests compare the two."""
    windows = layers.count("window")
    return (
        "global" in layers
        or ("state" in layers and pairs <= key_dim)
        or (windows > 0 and distance < window)
        or (pairs == 1 and distance <= windows * (window - 1))
    )


def fewest_rows(num_layers, window, key_dim, distance, pairs):
    """The rows of the cheapest layers that find everything."""
    sizes = window, key_dim, distance
    return min(
        sum(rows(kind, *sizes) for kind in layers)
        for layers in combinations_with_replacement(KINDS, num_layers)
        if finds_all(layers, *sizes, pairs)
    )


def observe(function, num_layers, window, key_dim, distance, pairs):
    """The layers that it names, or the sentence that says what is wrong with their form."""
    layers = function(num_layers, window, key_dim, distance, pairs)
    if layers is None:
        return None
    is_list = isinstance(layers, (list, tuple)) and all(type(name) is str for name in layers)
    if not is_list:
        return (
            f"Your function should return a list of {num_layers} names, one a layer. It returned "
            f"{kind_of(layers)}."
        )
    return {"layers": list(layers)}


def conclude(seen, num_layers, window, key_dim, distance, pairs):
    """What is wrong with the layers, by part: they are run, and their rows are counted."""
    layers = seen["layers"]
    unknown = [name for name in layers if name not in KINDS]
    if unknown:
        return f"A layer is 'window', 'state' or 'global'. Yours holds {unknown[0]!r}."
    if len(layers) != num_layers:
        return f"The model has num_layers = {num_layers} layers, and you name {len(layers)}."
    sizes = window, key_dim, distance
    is_answered = answers(tuple(layers), *sizes, pairs)
    if not is_answered.all():
        return {
            "found": _missed(list(layers), *sizes, pairs, int((~is_answered).sum())),
            "cost": "nobody can say what is enough for answers that are not there.",
        }
    kept = sum(rows(name, *sizes) for name in layers)
    fewest = fewest_rows(num_layers, *sizes, pairs)
    cost = f"your layers keep {kept} rows, and {fewest} are enough." if kept > fewest else ""
    return {"found": "", "cost": cost}


def _missed(layers, window, key_dim, distance, pairs, missed):
    """How many questions failed, and what these layers could not do."""
    text = f"{missed} of {pairs} questions do not find their value."
    windows = layers.count("window")
    if "state" in layers:
        text += f" A state keeps {key_dim} pairs apart here, not {pairs}."
    if windows and pairs > 1:
        text += (
            f" In a window of {window}, the question sees {window - 1} positions back, and the "
            f"first pair lies {distance} back; the positions between can hand on one pair."
        )
    elif windows:
        text += (
            f" {windows} windows of {window} reach {windows * (window - 1)} positions back, and "
            f"the pair lies {distance} back."
        )
    return text


def _sizes(generator):
    """(num_layers, window, key_dim): reach is far beyond the keys that a state keeps apart."""
    window = randint(generator, 4, 6)
    return randint(generator, 4, 7), window, window + randint(generator, 2, 5)


def _case(num_layers, window, key_dim, distance, pairs):
    label = f"{pairs} pairs, the first {distance} back" if pairs > 1 else f"a pair {distance} back"
    return Case((num_layers, window, key_dim, distance, pairs), label=label)


def _tasks(generator):
    """Each side of each limit."""
    for pairs_near in (1, 2, 3):
        n, window, key_dim = _sizes(generator)
        yield _case(n, window, key_dim, window - 1, pairs_near)
    for beyond in (-1, 0, 1):
        n, window, key_dim = _sizes(generator)
        yield _case(n, window, key_dim, n * (window - 1) + beyond, 1)
    n, window, key_dim = _sizes(generator)
    yield _case(n, window, key_dim, n * window, 1)
    n, window, key_dim = _sizes(generator)
    yield _case(n, window, key_dim, key_dim + 1, 1)
    for extra in (-1, 0, 1, 5):  # fewer pairs than a state keeps apart, just as many, or more
        n, window, key_dim = _sizes(generator)
        far = randint(generator, 20, 31) if extra else n * (window - 1)
        yield _case(n, window, key_dim, far, key_dim + extra)
    n, window, key_dim = _sizes(generator)
    yield _case(n, window, key_dim, key_dim + 1, 2)
    n, window, key_dim = _sizes(generator)
    yield _case(n, window, key_dim, key_dim + 2, key_dim + 1)


def _edge(generator):
    """The tasks, and before them two whose first pair lies just out of the question's sight."""
    n, window, _ = _sizes(generator)
    near = [_case(n, window, window + 1, distance, 2) for distance in (window, window + 1)]
    return [*near, *_tasks(generator)]


EXERCISE = Exercise(
    reference=choose_layers,
    returns={part: "what is wrong, or nothing" for part in ("found", "cost")},
    kind="observed",
    observe=observe,
    conclude=conclude,
    properties=(
        Property("run through your layers, every question finds its value", 3, _edge, "found"),
        Property("no cheaper layers would do", 2, _edge, "cost"),
    ),
    mistakes=MISTAKES,
)
