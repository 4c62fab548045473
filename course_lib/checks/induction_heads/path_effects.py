"""Lesson 10, exercise 4: how much of a head's effect goes through queries, keys or values."""

import torch

from course_lib.checks.exercise import Case, Exercise, Property, randn


def path_effects(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    leads = (
        lead(patched, stream, stream),
        lead(stream, patched, stream),
        lead(stream, stream, patched),
    )
    return tuple((moved - before) / (source - before) for moved in leads)


MISTAKES = """
whole_head: in leads -> in 3 * (lead(patched, patched, patched),)
    You give the patched stream to query, key and value at once. That patches the whole head. A path
    has one reader: the other two read the stream as it is.
other_two_patched: lead(patched, stream, stream) -> lead(stream, patched, patched) && \
        lead(stream, patched, stream) -> lead(patched, stream, patched) && \
        lead(stream, stream, patched) -> lead(patched, patched, stream)
    You give the patched stream to the two other readers. The path to the keys is the one in which
    the keys alone read it.
one_after_the_other: lead(stream, patched, stream) -> lead(patched, patched, stream) && \
        lead(stream, stream, patched) -> lead(patched, patched, patched)
    You patch the second reader on top of the first, and the third on top of both. Begin each path
    with the stream as it was.
key_at_the_query: in leads -> in (leads[1], leads[0], leads[2])
    Your first two numbers are exchanged: what the query reads is the first argument of lead, what
    the key reads the second.
value_second: in leads -> in (leads[0], leads[2], leads[1])
    Your last two numbers are exchanged. The order is (query, key, value).
value_first: in leads -> in leads[::-1]
    Your numbers are in the order value, key, query. It is (query, key, value).
twin_stream: stream - said + twin_said -> twin_stream
    You give a reader the whole stream of the twin. In it the other heads and the embedding speak of
    the twin, too. Exchange only what this head has said.
added: stream - said + twin_said -> stream + twin_said
    You add what the head says in the twin, and leave what it says in this run. A patch puts it in
    its place: subtract said first.
cut: - said + twin_said -> - said
    You take away what the head says, and put nothing there. That is the path cut, as in the lesson.
    A patch adds twin_said.
said_alone: stream - said + twin_said -> twin_said
    A reader gets only what this head says in the twin. It reads the whole stream: the rest of it
    stays as it is.
wrong_run_copied: - said + twin_said -> - twin_said + said
    You subtract twin_said and add said. The stream is that of this run: it holds said, and
    twin_said takes its place.
twin_patched: lambda a, b, said, twin_said, lead: path_effects(b, a, twin_said, said, lead)
or: _patch_in_the_twin
    You run the twin and put into it what the head says in this run. It is the other way round: this
    run, with what the head says in the twin.
last_position_only: stream - said + twin_said -> \
        torch.cat((stream[:, :-1], (stream - said + twin_said)[:, -1:]), dim=1)
    You patch the last position only. A head speaks at every position, and its keys stand earlier:
    patch all of them.
first_text_only: stream - said + twin_said -> \
        torch.cat(((stream - said + twin_said)[:1], stream[1:]))
    You patch the first text of the batch only. Patch all of them.
denominators_swapped: (source - before) -> (before - source)
    You divide by before - source. The way goes from this run to its twin: divide by
    source - before.
of_the_whole_head: lead(twin_stream, twin_stream, twin_stream) -> lead(patched, patched, patched)
    You divide by how far the whole head moves the lead. Divide by how far the twin is: source is
    the lead where all three read twin_stream.
share_of_the_lead: / (source - before) -> / before
or: / (source - before) -> / -before
    You divide by the lead of this run. Divide by the way from this run to its twin: source -
    before.
not_normalised: / (source - before) ->
or: (moved - before) / (source - before) -> before - moved
    You return by how much the lead changes. Divide by how much it changes when all is that of the
    twin.
leads: (moved - before) / (source - before) -> moved
    You return the leads of the patched runs. An effect says how far a patch has moved the lead:
    subtract that of the run without a patch, and divide.
not_subtracted: (moved - before) -> moved
    You divide the patched lead by the way between the runs, and have not subtracted where that way
    begins.
what_is_left: (moved - before) -> (source - moved)
    You return how much of the way is left. An effect of 0 is a patch that changes nothing, and 1
    goes all the way.
clipped: (moved - before) / (source - before) -> \
        min(max((moved - before) / (source - before), 0.0), 1.0)
    You cut your effects off at 0 and 1. A patch can move the lead away from the twin, or beyond it:
    let the numbers be.
absolute: (moved - before) / (source - before) -> abs((moved - before) / (source - before))
    You drop the sign of your effects. A patch that moves the lead away from the twin has an effect
    below 0.
"""


def _patch_in_the_twin(stream, twin_stream, said, twin_said, lead):
    """The twin's run with what the head says in this one, measured from this run."""
    there = path_effects(twin_stream, stream, twin_said, said, lead)
    return tuple(1 - effect for effect in there)


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
    mistakes=(MISTAKES,),
)
