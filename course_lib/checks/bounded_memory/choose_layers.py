"""Lesson 14, exercise 7: the layers that a look-up needs, and no dearer ones. They are run."""

from itertools import combinations_with_replacement

from torch import randint

from course_lib.checks.bounded_memory.look_up_run import KINDS, answers, rows
from course_lib.checks.exercise import Case, Exercise, Property
from course_lib.checks.judge.answers import kind_of


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
    You take windows whatever is asked. They find what lies in sight, and hand one pair on as far as
    they reach. For the rest, a layer that remembers more is needed.
global_only: lambda num_layers, *rest: ["global"] * num_layers
    You take a global layer everywhere. It finds everything, and keeps everything: look for tasks
    where fewer rows do.
states_only: lambda num_layers, *rest: ["state"] * num_layers
    You take a state everywhere. It keeps no more pairs apart than its keys have numbers, and where
    windows are enough they are cheaper.
reach_is_not_use: pairs == 1 and ->
    You ask how far the windows reach, and not how much they must carry. What is handed on is one
    pair: with several, the positions between do not know which one will be asked for.
handed_on_by_room: pairs == 1 -> pairs <= key_dim
    You let windows hand on as many pairs as a state keeps apart. What is handed on is one pair:
    with several, the positions between do not know which one will be asked for.
never_handed_on: pairs == 1 -> False
    You let a question find only what lies in its own window. One single pair is handed on from
    layer to layer: then num_layers windows reach num_layers * (window - 1).
reach_too_long: (window - 1) -> window
    You count num_layers * window. A window holds the position itself: each layer goes back by
    window - 1.
reach_one_short: <= num_layers -> < num_layers
    At the very edge of the reach you take more than windows: at num_layers * (window - 1) the pair
    is still found.
reach_of_fewer_layers: num_layers * (window - 1) -> (num_layers - 1) * (window - 1)
    You count one layer too few: all num_layers layers hand the pair on, the last one too.
window_too_long: distance < window -> distance <= window
or: distance < window -> distance <= window + 1
or: distance < window -> distance <= window + 2
    You let a question see too far back. It sees itself and the window - 1 positions before it:
    distance < window.
sight_forgotten: distance < window -> False
    Where all pairs lie in the question's own window you take more than windows. It sees them
    itself, however many they are.
state_for_any_number: "state" if pairs <= key_dim else "global" -> "state"
    You take a state for any number of pairs. Its keys have key_dim numbers, and no more than
    key_dim of them can be kept apart.
never_a_state: "state" if pairs <= key_dim else "global" -> "global"
    You never take a state. Where there are no more than key_dim pairs it finds them all, and keeps
    fewer rows than a global layer of a longer text.
state_one_short: pairs <= key_dim -> pairs < key_dim
    For key_dim pairs you take a global layer. A state keeps just that many apart.
state_one_too_many: pairs <= key_dim -> pairs <= key_dim + 1
    For key_dim + 1 pairs you take a state. Of these keys, two cannot be kept apart.
pairs_against_the_window: pairs <= key_dim -> pairs <= window
    You compare the pairs with the window. What a state keeps apart is decided by key_dim.
state_by_distance: pairs <= key_dim -> distance <= key_dim
    You compare the distance with key_dim. A state keeps its pairs at any distance: what counts is
    their number.
all_layers_of_it: layers[-1] = "state" if pairs <= key_dim else "global" -> \
        layers = ["state" if pairs <= key_dim else "global"] * num_layers
    Where windows are not enough you exchange all layers. One layer finds the pairs for the
    question; the others can stay windows.
every_second: layers[-1] = "state" if pairs <= key_dim else "global" -> \
        layers[1::2] = ["state" if pairs <= key_dim else "global"] * (num_layers // 2)
    Where windows are not enough you exchange every second layer. One is enough.
one_pattern: _fixed("global")
or: _fixed("state")
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
    """What is wrong with the layers, by part: they are run, and their rows are counted."""
    layers = function(num_layers, window, key_dim, distance, pairs)
    if layers is None:
        return None
    is_list = isinstance(layers, (list, tuple)) and all(isinstance(name, str) for name in layers)
    if not is_list:
        return (
            f"Your function should return a list of {num_layers} names, one a layer. It returned "
            f"{kind_of(layers)}."
        )
    unknown = [name for name in layers if name not in KINDS]
    if unknown:
        return f"A layer is 'window', 'state' or 'global'. Yours holds {unknown[0]!r}."
    if len(layers) != num_layers:
        return f"The model has num_layers = {num_layers} layers, and you name {len(layers)}."
    sizes = window, key_dim, distance
    found = answers(tuple(layers), *sizes, pairs)
    if not found.all():
        return {
            "found": _missed(list(layers), *sizes, pairs, int((~found).sum())),
            "cost": "nobody can say what is enough for answers that are not there.",
        }
    kept = sum(rows(name, *sizes) for name in layers)
    fewest = fewest_rows(num_layers, *sizes, pairs)
    cost = f"your layers keep {kept} rows, and {fewest} are enough." if kept > fewest else ""
    return {"found": "", "cost": cost}


def _missed(layers, window, key_dim, distance, pairs, missed):
    """How many questions failed, and what these layers could not do."""
    said = f"{missed} of {pairs} questions do not find their value."
    windows = layers.count("window")
    if "state" in layers:
        said += f" A state keeps {key_dim} pairs apart here, not {pairs}."
    if windows and pairs > 1:
        said += (
            f" In a window of {window}, the question sees {window - 1} positions back, and the "
            f"first pair lies {distance} back; the positions between can hand on one pair."
        )
    elif windows:
        said += (
            f" {windows} windows of {window} reach {windows * (window - 1)} positions back, and "
            f"the pair lies {distance} back."
        )
    return said


# --- wrong versions -----------------------------------------------------------------------------


def _fixed(kind):
    """The same pattern for every task: one such layer behind each five windows, or at the end."""

    def version(num_layers, *rest):
        layers = [kind if (i + 1) % 6 == 0 else "window" for i in range(num_layers)]
        return layers if kind in layers else [*layers[:-1], kind]

    return version


def _draw(generator, least, most):
    return int(randint(least, most + 1, (), generator=generator))


def _sizes(generator):
    """(num_layers, window, key_dim): reach is far beyond the keys that a state keeps apart."""
    window = _draw(generator, 4, 5)
    return _draw(generator, 4, 6), window, window + _draw(generator, 2, 4)


def _case(num_layers, window, key_dim, distance, pairs):
    label = f"{pairs} pairs, the first {distance} back" if pairs > 1 else f"a pair {distance} back"
    return Case((num_layers, window, key_dim, distance, pairs), label=label)


def _tasks(generator):
    """Each side of each limit."""
    cases = []
    for pairs_near in (1, 2, 3):
        n, window, key_dim = _sizes(generator)
        cases.append(_case(n, window, key_dim, window - 1, pairs_near))
    for beyond in (-1, 0, 1):
        n, window, key_dim = _sizes(generator)
        cases.append(_case(n, window, key_dim, n * (window - 1) + beyond, 1))
    n, window, key_dim = _sizes(generator)
    cases.append(_case(n, window, key_dim, n * window, 1))
    n, window, key_dim = _sizes(generator)
    cases.append(_case(n, window, key_dim, key_dim + 1, 1))
    for extra in (-1, 0, 1, 5):  # fewer pairs than a state keeps apart, just as many, or more
        n, window, key_dim = _sizes(generator)
        far = _draw(generator, 20, 30) if extra else n * (window - 1)
        cases.append(_case(n, window, key_dim, far, key_dim + extra))
    n, window, key_dim = _sizes(generator)
    cases.append(_case(n, window, key_dim, key_dim + 1, 2))
    n, window, key_dim = _sizes(generator)
    cases.append(_case(n, window, key_dim, key_dim + 2, key_dim + 1))
    return cases


def _edge(generator):
    """The tasks, and before them two whose first pair lies just out of the question's sight."""
    n, window, _ = _sizes(generator)
    near = [_case(n, window, window + 1, distance, 2) for distance in (window, window + 1)]
    return [*near, *_tasks(generator)]


EXERCISE = Exercise(
    lesson="14",
    number=7,
    reference=choose_layers,
    returns={part: "what is wrong, or nothing" for part in ("found", "cost")},
    kind="observed",
    observe=observe,
    properties=(
        Property("run through your layers, every question finds its value", 3, _edge, "found"),
        Property("no cheaper layers would do", 2, _edge, "cost"),
    ),
    mistakes=MISTAKES,
)
