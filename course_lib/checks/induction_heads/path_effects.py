"""Lesson 10, exercise 4: how much of a head's effect goes through queries, keys or values."""

import torch

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn


def path_effects(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    leads = (
        lead(patched, stream, stream),
        lead(stream, patched, stream),
        lead(stream, stream, patched),
    )
    return tuple((moved - before) / (source - before) for moved in leads)


# --- models that are cut open below one layer ---------------------------------------------------


class _Lead:
    """The rest of a model: the mean lead of the right symbol, for what the projections read."""

    def __init__(self, generator, shape):
        self.shape = shape
        self.read = 0.5 * randn(generator, 3, shape[1] * shape[2], 6).double()
        self.vote = randn(generator, 6).double()

    def __call__(self, query, key, value):
        for name, reads in (("query", query), ("key", key), ("value", value)):
            if reads.shape != self.shape:
                raise ValueError(
                    f"lead takes a {name} stream of shape {self.shape}, got {tuple(reads.shape)}"
                )
        parts = torch.stack((query, key, value)).double().flatten(2) @ self.read  # (3, batch, 6)
        return (parts.sum(dim=0).tanh() @ self.vote).mean().item()


def _case(generator, shape, wanted=lambda effects: True):
    """Two runs that differ enough; the three effects differ, and are as ``wanted``."""
    while True:
        streams = [randn(generator, *shape) for _ in range(4)]
        lead = _Lead(generator, shape)
        before, source = (lead(*3 * [stream]) for stream in streams[:2])
        effects = path_effects(*streams, lead)
        apart = min(abs(a - b) for a, b in zip(effects, effects[1:] + effects[:1], strict=True))
        if abs(source - before) > 0.5 and apart > 0.05 and wanted(effects):
            return Case((*streams, lead), label=f"streams of shape {shape}")


def _one_text(generator):
    return [_case(generator, shape) for shape in ((1, 2, 2), (1, 3, 4))]


def _several_texts(generator):
    return [_case(generator, shape) for shape in ((2, 3, 2), (4, 2, 5), (3, 5, 3))]


def _beyond(generator):
    return [
        _case(generator, (1, 2, 3), lambda effects: min(effects) < -0.1),
        _case(generator, (2, 3, 4), lambda effects: max(effects) > 1.1),
    ]


# --- wrong versions -----------------------------------------------------------------------------


def _reader(one, stream, patched):
    """What query, key and value read where only reader ``one`` reads the patched stream."""
    return [patched if i == one else stream for i in range(3)]


def _with(
    patch=lambda stream, twin_stream, said, twin_said: stream - said + twin_said,
    read=_reader,
    effect=lambda moved, before, source: (moved - before) / (source - before),
):
    """A version that patches, hands out or measures otherwise."""

    def version(stream, twin_stream, said, twin_said, lead):
        patched = patch(stream, twin_stream, said, twin_said)
        before, source = (lead(*3 * [one]) for one in (stream, twin_stream))
        leads = [lead(*read(one, stream, patched)) for one in range(3)]
        return tuple(effect(moved, before, source) for moved in leads)

    return version


def _last_position(stream, twin_stream, said, twin_said):
    patched = stream.clone()
    patched[:, -1] += (twin_said - said)[:, -1]
    return patched


def _first_text(stream, twin_stream, said, twin_said):
    patched = stream.clone()
    patched[0] += (twin_said - said)[0]
    return patched


def _up_to(one, stream, patched):
    return [patched if i <= one else stream for i in range(3)]


def _others(one, stream, patched):
    return [stream if i == one else patched for i in range(3)]


def _from_the_twin(stream, twin_stream, said, twin_said, lead):
    return path_effects(twin_stream, stream, twin_said, said, lead)


def _patch_in_the_twin(stream, twin_stream, said, twin_said, lead):
    patched = twin_stream - twin_said + said
    before, source = (lead(*3 * [one]) for one in (stream, twin_stream))
    leads = [lead(*_reader(one, twin_stream, patched)) for one in range(3)]
    return tuple((moved - before) / (source - before) for moved in leads)


def _of_the_whole_head(stream, twin_stream, said, twin_said, lead):
    return path_effects(stream, stream - said + twin_said, said, twin_said, lead)


def _in_order(*order):
    def version(*args):
        effects = path_effects(*args)
        return tuple(effects[i] for i in order)

    return version


EXERCISE = Exercise(
    lesson="10",
    number=4,
    reference=path_effects,
    returns={"effects": "three numbers, (query, key, value)"},
    kind="numbers",
    properties=(
        Property("the effect of each path alone, on one text", 2, _one_text),
        Property("the same on several texts", 2, _several_texts),
        Property("an effect may lie below 0 or above 1", 1, _beyond),
    ),
    mutants=(
        Mutant(
            "whole_head",
            "You give the patched stream to query, key and value at once. That patches the whole "
            "head. A path has one reader: the other two read the stream as it is.",
            _with(read=lambda one, stream, patched: 3 * [patched]),
        ),
        Mutant(
            "other_two_patched",
            "You give the patched stream to the two other readers. The path to the keys is the one "
            "in which the keys alone read it.",
            _with(read=_others),
        ),
        Mutant(
            "one_after_the_other",
            "You patch the second reader on top of the first, and the third on top of both. Begin "
            "each path with the stream as it was.",
            _with(read=_up_to),
        ),
        Mutant(
            "key_at_the_query",
            "Your first two numbers are exchanged: what the query reads is the first argument of "
            "lead, what the key reads the second.",
            _in_order(1, 0, 2),
        ),
        Mutant(
            "value_second",
            "Your last two numbers are exchanged. The order is (query, key, value).",
            _in_order(0, 2, 1),
        ),
        Mutant(
            "value_first",
            "Your numbers are in the order value, key, query. It is (query, key, value).",
            _in_order(2, 1, 0),
        ),
        Mutant(
            "twin_stream",
            "You give a reader the whole stream of the twin. In it the other heads and the "
            "embedding speak of the twin, too. Exchange only what this head has said.",
            _with(lambda stream, twin_stream, said, twin_said: twin_stream),
        ),
        Mutant(
            "added",
            "You add what the head says in the twin, and leave what it says in this run. A patch "
            "puts it in its place: subtract said first.",
            _with(lambda stream, twin_stream, said, twin_said: stream + twin_said),
        ),
        Mutant(
            "cut",
            "You take away what the head says, and put nothing there. That is the path cut, as in "
            "the lesson. A patch adds twin_said.",
            _with(lambda stream, twin_stream, said, twin_said: stream - said),
        ),
        Mutant(
            "said_alone",
            "A reader gets only what this head says in the twin. It reads the whole stream: the "
            "rest of it stays as it is.",
            _with(lambda stream, twin_stream, said, twin_said: twin_said),
        ),
        Mutant(
            "wrong_run_copied",
            "You subtract twin_said and add said. The stream is that of this run: it holds said, "
            "and twin_said takes its place.",
            _with(lambda stream, twin_stream, said, twin_said: stream - twin_said + said),
        ),
        Mutant(
            "twin_patched",
            "You run the twin and put into it what the head says in this run. It is the other way "
            "round: this run, with what the head says in the twin.",
            _from_the_twin,
            also=(_patch_in_the_twin,),
        ),
        Mutant(
            "last_position_only",
            "You patch the last position only. A head speaks at every position, and its keys stand "
            "earlier: patch all of them.",
            _with(_last_position),
        ),
        Mutant(
            "first_text_only",
            "You patch the first text of the batch only. Patch all of them.",
            _with(_first_text),
        ),
        Mutant(
            "denominators_swapped",
            "You divide by before - source. The way goes from this run to its twin: divide by "
            "source - before.",
            _with(effect=lambda moved, before, source: (moved - before) / (before - source)),
        ),
        Mutant(
            "of_the_whole_head",
            "You divide by how far the whole head moves the lead. Divide by how far the twin is: "
            "source is the lead where all three read twin_stream.",
            _of_the_whole_head,
        ),
        Mutant(
            "share_of_the_lead",
            "You divide by the lead of this run. Divide by the way from this run to its twin: "
            "source - before.",
            _with(effect=lambda moved, before, source: (moved - before) / before),
            also=(_with(effect=lambda moved, before, source: (before - moved) / before),),
        ),
        Mutant(
            "not_normalised",
            "You return by how much the lead changes. Divide by how much it changes when all is "
            "that of the twin.",
            _with(effect=lambda moved, before, source: moved - before),
            also=(_with(effect=lambda moved, before, source: before - moved),),
        ),
        Mutant(
            "leads",
            "You return the leads of the patched runs. An effect says how far a patch has moved "
            "the lead: subtract that of the run without a patch, and divide.",
            _with(effect=lambda moved, before, source: moved),
        ),
        Mutant(
            "not_subtracted",
            "You divide the patched lead by the way between the runs, and have not subtracted "
            "where that way begins.",
            _with(effect=lambda moved, before, source: moved / (source - before)),
        ),
        Mutant(
            "what_is_left",
            "You return how much of the way is left. An effect of 0 is a patch that changes "
            "nothing, and 1 goes all the way.",
            _with(effect=lambda moved, before, source: (source - moved) / (source - before)),
        ),
        Mutant(
            "clipped",
            "You cut your effects off at 0 and 1. A patch can move the lead away from the twin, or "
            "beyond it: let the numbers be.",
            _with(
                effect=lambda moved, before, source: min(
                    max((moved - before) / (source - before), 0.0), 1.0
                )
            ),
        ),
        Mutant(
            "absolute",
            "You drop the sign of your effects. A patch that moves the lead away from the twin has "
            "an effect below 0.",
            _with(effect=lambda moved, before, source: abs((moved - before) / (source - before))),
        ),
    ),
)
