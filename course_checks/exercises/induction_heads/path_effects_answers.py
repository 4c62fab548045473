"""Answers to path_effects (lesson 10, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch

import course_checks as checks


# right
def added(stream, twin_stream, said, twin_said, lead):
    """Each reader gets the stream, and its own share of the change."""
    change, is_own = twin_said - said, torch.eye(3)
    moved = [lead(*(stream + own * change for own in row)) for row in is_own]
    before, source = (lead(one, one, one) for one in (stream, twin_stream))
    return np.subtract(moved, before) / (source - before)


# right
def way_back(stream, twin_stream, said, twin_said, lead):
    """One, less what is left of the way."""
    patched = twin_said + (stream - said)
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    query = lead(patched, stream, stream)
    key, value = lead(stream, patched, stream), lead(stream, stream, patched)
    return [1 - (source - one) / (source - before) for one in (query, key, value)]


# wrong: the patched stream goes to all three readers, three times
# named: whole_head
def all_at_once(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    effect = (lead(patched, patched, patched) - before) / (source - before)
    return effect, effect, effect


# wrong: the denominator has the other sign
# named: denominators_swapped
def wrong_way(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    clean, twin = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    effects = []
    for i in range(3):
        reads = [patched if i == j else stream for j in range(3)]
        effects.append((lead(*reads) - clean) / (clean - twin))
    return effects


# wrong: patches the stream in place, so that the run as it is can no longer be had
# named: changes_input
def in_place(stream, twin_stream, said, twin_said, lead):
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    patched = stream
    patched -= said
    patched += twin_said
    reads = (patched, stream, stream), (stream, patched, stream), (stream, stream, patched)
    return tuple((lead(*one) - before) / (source - before) for one in reads)


# wrong: one list for all three paths, never put back
# named: one_after_the_other
def never_put_back(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    reads, effects = [stream, stream, stream], []
    for i in range(3):
        reads[i] = patched
        effects.append((lead(*reads) - before) / (source - before))
    return effects


# wrong: patches where the question is asked only
# named: last_position_only
def where_the_query_stands(stream, twin_stream, said, twin_said, lead):
    patched = stream.clone()
    patched[:, -1] = stream[:, -1] - said[:, -1] + twin_said[:, -1]
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    reads = (patched, stream, stream), (stream, patched, stream), (stream, stream, patched)
    return tuple((lead(*one) - before) / (source - before) for one in reads)


# wrong: takes the larger of both runs
# says: each path alone
def longer_of_both(stream, twin_stream, said, twin_said, lead):
    """Takes the entry that is larger in size, of what the head says in the two runs."""
    larger = torch.where(said.abs() > twin_said.abs(), said, twin_said)
    return checks.path_effects.exercise.reference(stream, twin_stream, said, larger, lead)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape in ((1, 2, 3), (3, 4, 2)):
        reads = randn(3, *shape[1:])

        def lead(query, key, value, reads=reads):
            parts = (torch.stack((query, key, value), dim=1) * reads).sum(dim=(1, 2, 3))
            return (parts.tanh() + 0.1 * key[:, 0, 0] ** 2).sum().item()

        yield *(randn(*shape) for _ in range(4)), lead
