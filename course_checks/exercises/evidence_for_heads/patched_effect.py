"""Lesson 11, exercise 4: how far a patch of some heads moves the lead, there and back."""

from course_checks.exercise import Case, Exercise, Property, randn


def patched_effect(heads, twin_heads, chosen, lead):
    before, source = lead(heads), lead(twin_heads)
    there = lead(_patched(heads, twin_heads, chosen))
    back = lead(_patched(twin_heads, heads, chosen))
    return (there - before) / (source - before), (back - source) / (before - source)


MISTAKES = """
others_patched: _patched(heads, twin_heads, chosen) -> _patched(twin_heads, heads, chosen) && \
        _patched(twin_heads, heads, chosen) -> _patched(heads, twin_heads, chosen)
    You patch all heads but the chosen ones. It should be the other way round.
zero: twin_heads, chosen) -> 0 * twin_heads, chosen) && _patched(twin_heads, heads -> \
        _patched(twin_heads, 0 * heads
    You put zero in the place of the chosen heads. A patch puts there what they say in the other
    run.
added: twin_heads, chosen) -> heads + twin_heads, chosen) && _patched(twin_heads, heads -> \
        _patched(twin_heads, heads + twin_heads
or: twin_heads, chosen) -> (heads + twin_heads) / 2, chosen) && \
        _patched(twin_heads, heads -> _patched(twin_heads, (heads + twin_heads) / 2
    You mix what the heads say in the two runs. A patch puts the other run's in place of this one's.
first_head_only: chosen)) => chosen[:1])) || range(max(chosen) + 1)))
    You do not patch just the heads of chosen. It holds their numbers: patch all of them, no others.
positions_for_heads: _patched => _at_positions
    You take the numbers in chosen for positions. They are heads, dimension 2: [:, :, chosen].
last_position_only: _patched => _last_position || _first_text
    You patch one position or one text only. Patch the heads at all positions of all texts.
summed: _one_at_a_time(sum) || _one_at_a_time(lambda effects: sum(effects) / len(effects))
    You patch the chosen heads one by one. Two together may do more or less: patch all in one run.
back_is_the_rest: (back - source) / (before - source) -> 1 - (there - before) / (source - before)
    Your way back is 1 minus the way there. It is a run of its own: put the heads of the first text
    into the twin's.
not_normalised: (there - before) / (source - before), (back - source) / (before - source) -> \
        there - before, back - source || before - there, source - back || there, back
    You return leads, or their changes. Subtract the lead without a patch, and divide by how much it
    changes when all is exchanged.
share_of_the_lead: / (source - before) -> / before && / (before - source) -> / source
or: (there - before) / (source - before) -> (before - there) / before && \
        (back - source) / (before - source) -> (source - back) / source
    You divide by the lead of the run without a patch. Divide by the way: source - before.
not_subtracted: (there - before) -> there && (back - source) -> back
    You divide the patched lead by the way, and have not subtracted where that way begins.
what_is_left: (there - before) -> (source - there) && (back - source) -> (before - back)
    You return how much of the way is left. An effect of 1 goes all the way.
negated: / (source - before) -> / (before - source) && / (before - source) -> / (source - before)
or: / (before - source) -> / (source - before)
    An effect of yours has the wrong sign: towards the other run it is above 0.
swapped: (there - before) / (source - before), (back - source) / (before - source) -> \
        (back - source) / (before - source), (there - before) / (source - before)
or: (back - source) / (before - source) -> (there - before) / (source - before)
    Your second number is not the way back: there the twin's run is patched. The order is (there,
    back).
back_from_the_wrong_end: (back - source) / (before - source) -> (back - before) / (source - before)
    Your way back is measured from the wrong end: it begins at the twin's lead, where its effect is
    0.
cut_to_0_and_1: _changed_answer(lambda there, back: (min(max(there, 0), 1), min(max(back, 0), 1)))
or: _changed_answer(lambda there, back: (abs(there), abs(back)))
    You cut your effects off, or drop their sign. A patch may move the lead away or too far: say so.
"""


def _patched(kept, taken, chosen):
    mixed = kept.clone()
    mixed[:, :, list(chosen)] = taken[:, :, list(chosen)]
    return mixed


class _Lead:
    """The rest of a model: the mean lead of the right word, a number for what the heads say."""

    def __init__(self, generator, shape):
        self.shape = shape
        self.read = randn(generator, shape[1] * shape[2] * shape[3], 6).double()
        self.vote = randn(generator, 6).double()

    def __call__(self, heads):
        if heads.shape != self.shape:
            raise ValueError(f"lead takes heads of shape {self.shape}, got {tuple(heads.shape)}")
        return ((heads.double().flatten(1) @ self.read).tanh() @ self.vote).mean().item()


def _case(generator, shape, chosen, wanted=lambda there, back: True):
    """A model and two texts that differ enough; the effects are as ``wanted``."""
    while True:
        heads, twin_heads = randn(generator, *shape), randn(generator, *shape)
        lead = _Lead(generator, shape)
        args = heads, twin_heads, chosen, lead
        if abs(lead(heads) - lead(twin_heads)) > 0.5 and wanted(*patched_effect(*args)):
            words = f"{shape[2]} heads of {shape[0]} texts, chosen = {chosen}"
            return Case(args, label=words)


def _one_head(generator):
    sizes = ((1, 2, 3, 2), (1,)), ((2, 3, 4, 2), (3,)), ((3, 2, 5, 1), (0,))
    return [_case(generator, *size) for size in sizes]


def _several(generator):
    sizes = ((1, 3, 4, 2), (0, 2)), ((2, 2, 5, 2), (4, 1)), ((3, 4, 6, 1), (5, 0, 2))
    return [_case(generator, *size) for size in sizes]


def _beyond(generator):
    return [
        _case(generator, (1, 2, 3, 2), (2,), lambda there, back: there < -0.1 and back < -0.1),
        _case(generator, (2, 3, 4, 2), (1, 0), lambda there, back: there > 1.1 and back > 1.1),
    ]


def _at_positions(kept, taken, chosen):
    mixed = kept.clone()
    mixed[:, list(chosen)] = taken[:, list(chosen)]
    return mixed


def _last_position(kept, taken, chosen):
    mixed = kept.clone()
    mixed[:, -1:] = _patched(kept, taken, chosen)[:, -1:]
    return mixed


def _first_text(kept, taken, chosen):
    mixed = kept.clone()
    mixed[:1] = _patched(kept, taken, chosen)[:1]
    return mixed


def _one_at_a_time(total):
    def version(heads, twin_heads, chosen, lead):
        alone = [patched_effect(heads, twin_heads, (head,), lead) for head in chosen]
        return tuple(total(effects) for effects in zip(*alone, strict=True))

    return version


def _changed_answer(change):
    return lambda *args: change(*patched_effect(*args))


EXERCISE = Exercise(
    reference=patched_effect,
    returns={"effects": "two numbers, (there, back)"},
    kind="numbers",
    properties=(
        Property("one head, there and back", 2, _one_head),
        Property("several heads at once", 2, _several),
        Property("an effect may lie below 0 or above 1", 1, _beyond),
    ),
    mistakes=MISTAKES,
)
