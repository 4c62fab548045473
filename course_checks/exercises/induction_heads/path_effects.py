"""Lesson 10, exercise 4: how much of a head's effect goes through queries, keys or values."""

import torch

from course_checks.exercise import Case, Exercise, Property, randn


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
    You give the patched stream to all three readers. A path has one: the others read the stream as
    it is.
other_two_patched: lead(patched, stream, stream) -> lead(stream, patched, patched) && \
        lead(stream, patched, stream) -> lead(patched, stream, patched) && \
        lead(stream, stream, patched) -> lead(patched, patched, stream)
    You patch the two other readers. On the path to the keys, the keys alone read the patched
    stream.
one_after_the_other: lead(stream, patched, stream) -> lead(patched, patched, stream) && \
        lead(stream, stream, patched) -> lead(patched, patched, patched)
    You patch each reader on top of the others. Begin each path with the stream as it was.
key_at_the_query: in leads -> in (leads[1], leads[0], leads[2]) || \
        in (leads[0], leads[2], leads[1]) || in leads[::-1]
    Your numbers are not in the order (query, key, value), which is that of the arguments of lead.
twin_stream: stream - said + twin_said -> twin_stream
    You give a reader the whole stream of the twin. Exchange only what this head has said.
added: stream - said + twin_said -> stream + twin_said
    You add what the head says in the twin, and leave what it says in this run: subtract said first.
cut: - said + twin_said -> - said
    You take away what the head says, and put nothing there. A patch adds twin_said.
said_alone: stream - said + twin_said -> twin_said
    A reader gets only what this head says in the twin. The rest of the stream stays.
wrong_run_copied: - said + twin_said -> - twin_said + said
    You subtract twin_said and add said. The stream of this run holds said: exchange that.
twin_patched: lambda a, b, said, twin_said, lead: path_effects(b, a, twin_said, said, lead)
or: stream - said + twin_said -> twin_stream - twin_said + said && \
                lead(patched, stream, stream) -> lead(patched, twin_stream, twin_stream) && \
                lead(stream, patched, stream) -> lead(twin_stream, patched, twin_stream) && \
                lead(stream, stream, patched) -> lead(twin_stream, twin_stream, patched)
    You patch the twin with what the head says in this run. It is the other way round.
last_position_only: stream - said + twin_said -> \
        torch.cat((stream[:, :-1], (stream - said + twin_said)[:, -1:]), dim=1) || \
        torch.cat(((stream - said + twin_said)[:1], stream[1:]))
    You patch one position or one text only. Patch all positions of all texts.
denominators_swapped: (source - before) -> (before - source)
    You divide by before - source. The way goes from this run to its twin: source - before.
of_the_whole_head: lead(twin_stream, twin_stream, twin_stream) -> lead(patched, patched, patched)
    You divide by how far the whole head moves the lead. source is the lead where all three read
    twin_stream.
share_of_the_lead: / (source - before) -> / before || / -before
    You divide by the lead of this run. Divide by the way to its twin: source - before.
divided_by_the_source: / (source - before) -> / source
    You divide by the twin's lead. The whole effect is the distance of the two leads.
not_normalised: / (source - before) ->
or: (moved - before) / (source - before) -> before - moved || moved
    You return leads, or their changes. Subtract the lead without a patch, and divide by the way to
    the twin.
not_subtracted: (moved - before) -> moved
    You divide the patched lead by the way, and have not subtracted where that way begins.
what_is_left: (moved - before) -> (source - moved)
    You return how much of the way is left. An effect of 1 goes all the way.
clipped: (moved - before) / (source - before) -> \
        min(max((moved - before) / (source - before), 0.0), 1.0)
or: (moved - before) / (source - before) -> abs((moved - before) / (source - before))
    You cut your effects off, or drop their sign. A patch can move the lead away or too far: let
    them be.
"""


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
    reference=path_effects,
    returns={"effects": "three numbers, (query, key, value)"},
    kind="numbers",
    properties=(
        Property("the effect of each path alone, on one text", 2, _one_text),
        Property("the same on several texts", 2, _several_texts),
        Property("an effect may lie below 0 or above 1", 1, _beyond),
    ),
    mistakes=MISTAKES,
)
