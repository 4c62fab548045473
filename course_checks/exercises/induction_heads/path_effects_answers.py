"""Answers to path_effects (lesson 10, exercise 4), right and wrong, as students write them."""

import torch


# right
def by_a_loop(stream, twin_stream, said, twin_said, lead):
    patched = stream + (twin_said - said)
    before = lead(stream, stream, stream)
    way = lead(twin_stream, twin_stream, twin_stream) - before
    effects = []
    for reader in range(3):
        reads = [stream, stream, stream]
        reads[reader] = patched
        effects.append((lead(*reads) - before) / way)
    return effects


# right
def by_keywords(stream, twin_stream, said, twin_said, lead):
    def run(query=stream, key=stream, value=stream):
        return lead(query, key, value)

    new = torch.add(stream - said, twin_said)
    start, end = run(), run(twin_stream, twin_stream, twin_stream)
    return tuple((run(**{name: new}) - start) / (end - start) for name in ("query", "key", "value"))


# right
def in_a_clone(stream, twin_stream, said, twin_said, lead):
    mixed = stream.clone()
    mixed -= said
    mixed += twin_said
    clean = lead(stream, stream, stream)
    corrupted = lead(twin_stream, twin_stream, twin_stream)
    q = lead(mixed, stream, stream)
    k = lead(stream, mixed, stream)
    v = lead(stream, stream, mixed)
    return torch.tensor([(clean - one) / (clean - corrupted) for one in (q, k, v)])


# right
def by_a_dictionary(stream, twin_stream, said, twin_said, lead):
    rest = stream - said  # what all others have written
    runs = {"before": [rest + said] * 3, "source": [twin_stream] * 3}
    for i, role in enumerate(("query", "key", "value")):
        runs[role] = [rest + (twin_said if i == j else said) for j in range(3)]
    leads = {name: lead(*reads) for name, reads in runs.items()}
    way = leads["source"] - leads["before"]
    return [(leads[role] - leads["before"]) / way for role in ("query", "key", "value")]


# wrong: the patched stream goes to all three readers, three times
# named: whole_head
def all_at_once(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    effect = (lead(patched, patched, patched) - before) / (source - before)
    return effect, effect, effect


# wrong: takes the whole stream of the twin
# named: twin_stream
def whole_stream(stream, twin_stream, said, twin_said, lead):
    a, b = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    q = lead(twin_stream, stream, stream)
    k = lead(stream, twin_stream, stream)
    v = lead(stream, stream, twin_stream)
    return (q - a) / (b - a), (k - a) / (b - a), (v - a) / (b - a)


# wrong: subtracts what the twin says from a stream that holds what this run says
# named: wrong_run_copied
def roles_of_the_runs(stream, twin_stream, said, twin_said, lead):
    patched = stream - twin_said + said
    a, b = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    reads = (patched, stream, stream), (stream, patched, stream), (stream, stream, patched)
    return tuple((lead(*one) - a) / (b - a) for one in reads)


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


# wrong: the key comes first
# named: key_at_the_query
def key_first(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    a, b = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    key = (lead(stream, patched, stream) - a) / (b - a)
    query = (lead(patched, stream, stream) - a) / (b - a)
    value = (lead(stream, stream, patched) - a) / (b - a)
    return key, query, value


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


# wrong: cuts the path, as the lesson did
# named: cut
def cut_path(stream, twin_stream, said, twin_said, lead):
    less = stream - said
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    leads = lead(less, stream, stream), lead(stream, less, stream), lead(stream, stream, less)
    return [(one - before) / (source - before) for one in leads]


# wrong: measures against the whole head instead of the twin
# named: of_the_whole_head
def share_of_head(stream, twin_stream, said, twin_said, lead):
    patched = stream - said + twin_said
    before, source = lead(stream, stream, stream), lead(patched, patched, patched)
    leads = (
        lead(patched, stream, stream),
        lead(stream, patched, stream),
        lead(stream, stream, patched),
    )
    return [(one - before) / (source - before) for one in leads]


# wrong: patches where the question is asked only
# named: last_position_only
def where_the_query_stands(stream, twin_stream, said, twin_said, lead):
    patched = stream.clone()
    patched[:, -1] = stream[:, -1] - said[:, -1] + twin_said[:, -1]
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    reads = (patched, stream, stream), (stream, patched, stream), (stream, stream, patched)
    return tuple((lead(*one) - before) / (source - before) for one in reads)
