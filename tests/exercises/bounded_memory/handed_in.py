"""Answers to the exercises on memory that does not grow, of the kind that students hand in."""

import torch

from course_lib.attention.delta_rule import delta_rule_step
from course_lib.attention.linear import linear_attention_chunks, linear_attention_step
from course_lib.attention.sinks import attention_with_sink
from course_lib.attention.windows import reach


def all_at_once(windows, position):
    return max(position - sum(window - 1 for window in windows), 0)


def by_the_library(windows, position):
    return [
        max(int(position - reach(windows[: n + 1])), 0) if all(windows[: n + 1]) else 0
        for n in range(len(windows))
    ]


def back_by_the_window(windows, position):
    after = []
    for window in windows:
        position = max(0, position - window) if window != 0 else 0
        after += [position]
    return after


def zero_moves_forward(windows, position):
    after = []
    for window in windows:
        position = max(position - window + 1, 0)
        after.append(position)
    return after


def not_cut(windows, position):
    after = []
    for window in windows:
        position = position - window + 1 if window else 0
        after.append(position)
    return after


def from_the_beginning(windows, position):
    return [0 for _ in windows]


def sinks(more, cut=slice(-1), scale=True):
    """One key more, whose score is ``more(sink)``; ``cut`` says which columns stay."""

    def sink_attend(query, key, value, sink):
        scores = query @ key.mT / (query.shape[-1] ** 0.5 if scale else 1)
        column = more(sink)[:, None, None].expand(-1, scores.shape[1], 1)
        weights = torch.cat([scores, column], -1).softmax(-1)[..., cut]
        return weights @ value, weights

    return sink_attend


def sink_for_each_query(query, key, value, sink):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = torch.cat([scores, sink[:, None, None]], -1).softmax(-1)[..., :-1]
    return weights @ value, weights


def sink_by_the_library(query, key, value, sink):
    return attention_with_sink(query, key, value, sink)


def sink_added_below(query, key, value, sink):
    e = (query @ key.mT / query.shape[-1] ** 0.5).exp()
    weights = e / (e.sum(-1, keepdim=True) + sink.exp()[:, None, None])
    return weights @ value, weights


def sink_plus_one(query, key, value, sink):
    e = (query @ key.mT / query.shape[-1] ** 0.5).exp()
    weights = e / (e.sum(-1, keepdim=True) + 1)
    return weights @ value, weights


def sink_in_float32(query, key, value, sink):
    return tuple(part.float() for part in sinks(lambda sink: sink)(query, key, value, sink))


def sink_as_a_key(query, key, value, sink):
    heads, _, size = key.shape
    key = torch.cat([key, sink[:, None, None].expand(heads, 1, size)], 1)
    weights = (query @ key.mT / size**0.5).softmax(-1)[..., :-1]
    return weights @ value, weights


def sinks_of_all_heads(query, key, value, sink):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    every = sink[None, None, :].expand(*scores.shape[:2], -1)
    weights = torch.cat([every, scores], -1).softmax(-1)[..., len(sink) :]
    return weights @ value, weights


def sink_weights_first(query, key, value, sink):
    return sinks(lambda sink: sink)(query, key, value, sink)[::-1]


def step_by_the_library(memory, total, query, key, value):
    output, state = linear_attention_step((memory, total), query, key, value)
    return output, *state


def step_without_dividing(memory, total, query, key, value):
    memory, total = memory + key[..., None] * value[:, None], total + key
    return torch.einsum("hi,hij->hj", query, memory), memory, total


def step_in_place(memory, total, query, key, value):
    memory += key[..., None] * value[:, None]
    total += key
    mixed = torch.einsum("hi,hij->hj", query, memory)
    return mixed / (query * total).sum(-1, keepdim=True), memory, total


def step_output_alone(memory, total, query, key, value):
    memory, total = memory + key[..., None] * value[:, None], total + key
    return (query[:, None] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True)


def step_reads_first(memory, total, query, key, value):
    before = (query * total).sum(-1, keepdim=True)
    output = (query[:, None] @ memory)[:, 0] / before.masked_fill(before == 0, 1)
    return output, memory + key[..., None] * value[:, None], total + key


def step_reads_nothing_at_first(memory, total, query, key, value):
    output = (query[:, None] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True)
    return output, memory + key[..., None] * value[:, None], total + key


def step_of_exchanged_names(memory, total, query, key, value):
    query, key = key, query
    memory, total = memory + key[..., None] * value[:, None], total + key
    return (query[:, None] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True), memory, total


def step_exchanges_in_the_memory(memory, total, query, key, value):
    memory, total = memory + query[..., None] * value[:, None], total + key
    return (key[:, None] @ memory)[:, 0] / (key * total).sum(-1, keepdim=True), memory, total


def step_sums_queries(memory, total, query, key, value):
    memory, total = memory + key[..., None] * value[:, None], total + query
    return (query[:, None] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True), memory, total


def delta(fade=True, said=True, beta=True):
    """The rule without one of its parts."""

    def delta_step(memory, query, key, value, beta_, decay):
        if fade:
            memory = decay[:, None, None] * memory
        missing = value - (key[:, None] @ memory)[:, 0] if said else value
        missing = beta_[:, None] * missing if beta else missing
        memory = memory + key[..., None] * missing[:, None]
        return (query[:, None] @ memory)[:, 0], memory

    return delta_step


def delta_reads_the_given(memory, query, key, value, beta, decay):
    _, new = delta()(memory, query, key, value, beta, decay)
    return (query[:, None] @ memory)[:, 0], new


def delta_by_the_library(memory, query, key, value, beta, decay):
    return delta_rule_step(memory, query, key, value, beta, decay)


def delta_without_shapes(memory, query, key, value, beta, decay):
    memory = decay * memory
    said = key @ memory
    memory = memory + key * beta * (value - said)
    return query @ memory, memory


def delta_in_place(memory, query, key, value, beta, decay):
    memory.mul_(decay[:, None, None])
    memory += key[..., None] * (beta[:, None] * (value - (key[:, None] @ memory)[:, 0]))[:, None]
    return (query[:, None] @ memory)[:, 0], memory


def chunks(inside=lambda q, k: (q @ k.T).tril(), keep=True, read=True, dtype=None):
    def sum_in_chunks(query, key, value, chunk_len):
        memory, out = torch.zeros(key.shape[1], value.shape[1], dtype=dtype or key.dtype), []
        for i in range(0, len(query), chunk_len):
            q, k, v = (t[i : i + chunk_len] for t in (query, key, value))
            out.append((q @ memory if read else 0) + inside(q, k) @ v)
            memory = (memory if keep else 0) + k.T @ v
        return torch.cat(out), memory

    return sum_in_chunks


def chunks_by_the_library(query, key, value, chunk_len):
    output, state = linear_attention_chunks(query, key, value, chunk_len=chunk_len)
    return output, state.memory


def chunks_drop_the_rest(query, key, value, chunk_len):
    whole = len(query) // chunk_len * chunk_len
    return chunks()(query[:whole], key[:whole], value[:whole], chunk_len)


def chunks_output_alone(query, key, value, chunk_len):
    return chunks()(query, key, value, chunk_len)[0]


def not_cut_at_all(query, key, value, chunk_len):
    return (query @ key.T).tril() @ value, key.T @ value


def counts(window=min, state=lambda h, kv, d, b, n: h * d * d * 4):
    def hybrid_bytes(layers, h, kv, d, w, b, n):
        one = 2 * kv * d * b
        kept = {"global": n * one, "window": window(w, n) * one, "state": state(h, kv, d, b, n)}
        return [kept[layer] for layer in layers]

    return hybrid_bytes


def total_bytes(*args):
    return sum(counts()(*args))


def by_a_dictionary(*args):
    return dict(enumerate(counts()(*args)))


def gemma(num_layers, window, key_dim, distance, pairs):
    return [("global" if i % 6 == 5 else "window") for i in range(num_layers)]


def one_more_in_sight(num_layers, window, key_dim, distance, pairs):
    if distance <= window or (pairs == 1 and distance <= num_layers * (window - 1)):
        return num_layers * ["window"]
    return (num_layers - 1) * ["window"] + ["state" if pairs <= key_dim else "global"]


def handed_on_by_room(num_layers, window, key_dim, distance, pairs):
    if distance < window or (pairs <= key_dim and distance <= num_layers * (window - 1)):
        return num_layers * ["window"]
    return (num_layers - 1) * ["window"] + ["state" if pairs <= key_dim else "global"]


def state_by_distance(num_layers, window, key_dim, distance, pairs):
    if distance < window or (pairs == 1 and distance <= num_layers * (window - 1)):
        return num_layers * ["window"]
    return (num_layers - 1) * ["window"] + ["state" if distance <= key_dim else "global"]


def other_names(num_layers, window, key_dim, distance, pairs):
    return ["local"] * num_layers


def too_few(num_layers, window, key_dim, distance, pairs):
    return ["global"]


def one_name(num_layers, window, key_dim, distance, pairs):
    return "global"


def by_reach_alone(num_layers, window, key_dim, distance, pairs):
    if num_layers * (window - 1) >= distance:
        return num_layers * ["window"]
    return ["state" if pairs <= key_dim else "global"] + (num_layers - 1) * ["window"]


def safe_choice(num_layers, window, key_dim, distance, pairs):
    return (num_layers - 1) * ["window"] + ["global"]


ANSWERS = [
    ("earliest_seen", all_at_once, 0, None, "a list of numbers"),
    ("earliest_seen", by_the_library, 0, "forbidden", "course_lib's own"),
    ("earliest_seen", back_by_the_window, None, "window_itself", "window - 1"),
    ("earliest_seen", zero_moves_forward, None, "zero_as_a_window", "step forward"),
    ("earliest_seen", not_cut, None, "before_zero", "negative"),
    ("earliest_seen", from_the_beginning, None, None, "for windows ["),
    ("sink_attend", sinks(lambda sink: sink), 6, None, ""),
    ("sink_attend", sinks(torch.zeros_like), None, "off_by_one", "exp(sink)"),
    ("sink_attend", sinks(lambda sink: sink, scale=False), None, "not_scaled", "head_dim"),
    ("sink_attend", sinks(lambda sink: sink[:1].expand_as(sink)), None, "one_for_all_heads",
     "Each has its own"),
    ("sink_attend", sink_for_each_query, 0, None, ""),
    ("sink_attend", sink_by_the_library, 0, "forbidden", "course_lib's own"),
    ("sink_attend", sink_added_below, 5, "overflows", "overflow"),
    ("sink_attend", sink_plus_one, 0, None, "never uses"),
    ("sink_attend", sink_in_float32, 5, "dtype", "float64"),
    ("sink_attend", sink_as_a_key, None, "sink_as_a_key", "score"),
    ("sink_attend", sinks_of_all_heads, None, "sinks_of_all_heads", "sinks of all heads"),
    ("sink_attend", sinks(lambda sink: sink, slice(1, None)), None, "wrong_column_cut", "real key"),
    ("sink_attend", sink_weights_first, None, "exchanged", "output comes first"),
    ("linear_step", step_by_the_library, 0, "forbidden", "course_lib's own"),
    ("linear_step", step_without_dividing, None, "not_divided", "mean of the values"),
    ("linear_step", step_in_place, 4, "changes_input", "in place"),
    ("linear_step", step_output_alone, 0, None, "3 things"),
    ("linear_step", step_reads_first, None, "reads_first", "before you write"),
    ("linear_step", step_reads_nothing_at_first, None, "reads_first", "before you write"),
    ("linear_step", step_of_exchanged_names, None, "query_and_key_exchanged", "query asks"),
    ("linear_step", step_exchanges_in_the_memory, None, "query_and_key_exchanged", "query asks"),
    ("linear_step", step_sums_queries, None, "queries_summed", "sum of the keys"),
    ("delta_step", delta(), 5, None, ""),
    ("delta_step", delta(fade=False), None, "decay_left_out", "decay"),
    ("delta_step", delta(said=False), None, "only_adds", "leave the old one"),
    ("delta_step", delta(beta=False), None, "beta_left_out", "how much"),
    ("delta_step", delta_by_the_library, 0, "forbidden", "course_lib's own"),
    ("delta_step", delta_without_shapes, 0, None, ""),
    ("delta_step", delta_in_place, 4, "changes_input", "in place"),
    ("delta_step", delta_reads_the_given, None, "reads_first", "corrected memory"),
    ("sum_in_chunks", chunks(), 6, None, ""),
    ("sum_in_chunks", chunks(dtype=torch.float32), 5, None, "dtype=x.dtype"),
    ("sum_in_chunks", not_cut_at_all, 5, "whole_table", "one chunk at a time"),
    ("sum_in_chunks", chunks(inside=lambda q, k: q @ k.T), None, "future_in_the_chunk", "tril"),
    ("sum_in_chunks", chunks(read=False), None, "chunks_alone", "q @ memory"),
    ("sum_in_chunks", chunks(keep=False), None, "one_chunk_back", "Add to it"),
    ("sum_in_chunks", chunks_by_the_library, 0, "forbidden", "course_lib's own"),
    ("sum_in_chunks", chunks_drop_the_rest, None, None, ""),
    ("sum_in_chunks", chunks_output_alone, 0, None, "2 things"),
    ("hybrid_bytes", counts(), 6, None, ""),
    ("hybrid_bytes", counts(window=lambda w, n: w), None, "window_always_full", "first token"),
    ("hybrid_bytes", counts(state=lambda h, kv, d, b, n: h * d * d * b), None,
     "state_in_small_numbers", "float32"),
    ("hybrid_bytes", counts(state=lambda h, kv, d, b, n: h * d * d * 4 * n), None, "state_grows",
     "one size"),
    ("hybrid_bytes", counts(state=lambda h, kv, d, b, n: h * (d * d + d) * 4), None,
     "state_with_a_total", "one table"),
    ("hybrid_bytes", total_bytes, 0, None, "a list of numbers"),
    ("hybrid_bytes", by_a_dictionary, 0, None, "a list of numbers"),
    ("choose_layers", gemma, None, None, ""),
    ("choose_layers", one_more_in_sight, None, "window_too_long", "distance < window"),
    ("choose_layers", handed_on_by_room, None, "reach_is_not_use", "hand on one"),
    ("choose_layers", state_by_distance, None, "state_by_distance", "at any distance"),
    ("choose_layers", other_names, 0, None, "'window', 'state' or 'global'"),
    ("choose_layers", too_few, 0, None, "you name 1"),
    ("choose_layers", one_name, 0, None, "a list of"),
    ("choose_layers", by_reach_alone, None, "reach_is_not_use", "one pair"),
    ("choose_layers", safe_choice, 4, "one_pattern", "Ask what each needs"),
]  # fmt: skip
