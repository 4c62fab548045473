"""Answers to the exercises on heads in one matrix, of the kind that students hand in."""

import time

import torch

import course_checks as checks


def view_refuses(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).view(batch, seq_len, num_heads * head_dim)


def probes_with(equivariant=None, independent=None, connected=None):
    """Right probes but for those that are given."""

    def probes(layer, x):
        right = checks.probe_layer.exercise.reference(layer, x)
        given = equivariant, independent, connected
        return [probe(layer, x) if probe else old for probe, old in zip(given, right, strict=True)]

    return probes


def shuffled_up_to_1e_8(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.allclose(layer(x[:, order]), layer(x)[:, order])


def without_its_batch_dimension(layer, x):
    return torch.allclose(torch.stack([layer(sentence) for sentence in x]), layer(x), atol=1e-5)


def in_place(layer, x):
    before = layer(x)
    x[0, 0] = torch.randn(x.shape[2])
    return not torch.allclose(layer(x)[0, 1:], before[0, 1:], atol=1e-5)


def follows(order_of):
    return lambda f, x: torch.allclose(order_of(f(x)), f(order_of(x)), atol=1e-5)


def last_alone(layer, x):
    return torch.allclose(layer(x[-1:]), layer(x)[-1:], atol=1e-5)


def exactly_alone(layer, x):
    return torch.equal(torch.cat([layer(sentence) for sentence in x.split(1)]), layer(x))


def of_the_whole_batch(layer, x):
    before, moved = layer(x), False
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.ones(x.shape[:2], dtype=torch.bool)
        changed[0, t] = torch.randn(x.shape[2])
        others[0, t] = False
        moved |= not torch.allclose(layer(changed)[others], before[others], atol=1e-5)
    return moved


def in_all_sentences(layer, x):
    before, moved = layer(x), False
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] = torch.randn(len(x), x.shape[2])
        moved |= not torch.allclose(layer(changed)[:, others], before[:, others], atol=1e-5)
    return moved


def no_copy(layer, x):
    before, moved = layer(x), False
    for t in range(x.shape[1]):
        changed, others = x, torch.arange(x.shape[1]) != t
        changed[0, t] = torch.randn(x.shape[2])
        moved |= not torch.allclose(layer(changed)[0, others], before[0, others], atol=1e-5)
    return moved


def as_many_rows_as_heads(heads):
    y = heads.transpose(1, 2)
    return y.reshape(len(y), heads.shape[1], -1)


def stacked(heads):
    parts = [head.weight for head in heads], [head.bias for head in heads]
    return tuple(torch.stack(part) for part in parts)


def only_the_weight(heads):
    return torch.cat([head.weight for head in heads])


def rows_of_both(w_query, w_output, num_heads, i):
    head_dim = len(w_query) // num_heads
    own = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[own], w_output[own]


def moved_and_emptied(heads):
    weight = torch.cat([head.weight for head in heads]).clone()
    bias = torch.cat([head.bias for head in heads]).clone()
    for head in heads:
        head.weight.data.zero_()
    return weight, bias


def turned_to_fit(w_query, w_output, num_heads, i):
    own = slice(i * len(w_query) // num_heads, (i + 1) * len(w_query) // num_heads)
    return w_query[:, own].T, w_output[own].T


def counted_from_1(w_query, w_output, num_heads, i):
    size = len(w_query) // num_heads
    return w_query[(i - 1) * size : i * size], w_output[:, (i - 1) * size : i * size]


def of_the_other(w_query, w_output, num_heads, i):
    return checks.head_parts.exercise.reference(w_output, w_query, num_heads, i)


def three_times_heads(weight, num_heads):
    parts = weight.unflatten(0, (3, num_heads, -1))
    return tuple(part.flatten(0, 1) for part in parts)


def traced(module, x, shape_of=lambda output: tuple(output.shape)):
    found = []
    for name, part in module.named_modules():
        part.register_forward_hook(lambda _, i, output, n=name: found.append((n, shape_of(output))))
    module(x)
    return found


def traced_with_modules(module, x):
    return [(part, (1,)) for part in module.modules()]


def traced_and_left(module, x):
    return traced(module, x, lambda out: tuple((out[0] if isinstance(out, tuple) else out).shape))


def traced_late(module, x):
    found = []
    for name, part in module.named_modules():
        part.register_forward_hook(lambda *args: found.append((name, tuple(args[2].shape))))  # noqa: B023
    module(x)
    return found


def traced_in_eval_mode(module, x):
    module.eval()
    return checks.trace_shapes.exercise.reference(module, x)


def traced_in_train_mode(module, x):
    module.train()
    return checks.trace_shapes.exercise.reference(module, x)


def traced_or_nothing(module, x):
    try:
        return checks.trace_shapes.exercise.reference(module, x)
    except Exception:
        return []


def traced_by(run, parts=lambda module: module.named_modules()):
    """Hooks on ``parts``; ``run``: "replaced" changes the output, "forward" avoids the call."""

    def trace(module, x):
        found, handles = [], []

        def hook_for(name):
            def hook(part, inputs, output):
                first = output[0] if isinstance(output, tuple) else output
                found.append((name, tuple(first.shape)))
                return first if run == "replaced" else None

            return hook

        try:
            for name, part in parts(module):
                handles.append(part.register_forward_hook(hook_for(name)))
            module.forward(x) if run == "forward" else module(x)
        finally:
            for handle in handles:
                handle.remove()
        return found

    return trace


def total_time(functions, timer, rounds):
    costs = []
    for function in functions:
        start = timer()
        for _ in range(rounds):
            function()
        costs.append(timer() - start)
    return [cost / costs[0] for cost in costs]


def own_clock(functions, timer, rounds):
    return total_time(functions, time.perf_counter, rounds)


ANSWERS = [
    ("split_heads", lambda x, n: x.view(len(x), -1, n, x.shape[2]), 0, None, "must multiply to"),
    ("combine_heads", view_refuses, 0, None, "use reshape, which copies where it must"),
    ("probe_layer", probes_with(shuffled_up_to_1e_8), 3, None, "rounding error"),
    ("probe_layer", probes_with(None, without_its_batch_dimension), 0, None, "x[b] loses one"),
    ("probe_layer", probes_with(None, None, in_place), 3, "changes_input", "input x in place"),
    ("probe_layer", probes_with(None, lambda f, x: True), 4, None, "independent: True for"),
    ("combine_heads", as_many_rows_as_heads, None, "heads_for_tokens", "as many rows as"),
    ("probe_layer", probes_with(follows(lambda y: y.flip(1))), 3, "special_order", "shuffled"),
    ("probe_layer", probes_with(follows(lambda y: y.roll(1, 1))), 3, "special_order", "shuffled"),
    ("probe_layer", probes_with(None, last_alone), 4, "last_sentence_only", "look at all of"),
    ("probe_layer", probes_with(None, exactly_alone), 4, "exact_alone", "atol=1e-5"),
    ("probe_layer", probes_with(None, None, of_the_whole_batch), 4, "whole_batch", "sentence b"),
    ("probe_layer", probes_with(None, None, in_all_sentences), 4, "across_sentences", "x[b, t]"),
    ("probe_layer", probes_with(None, None, no_copy), 3, "changes_input", "input x in place"),
    ("heads_to_matrix", stacked, 0, "stacked", "torch.cat"),
    ("heads_to_matrix", moved_and_emptied, 4, "changes_input", "its input heads in place"),
    ("head_parts", turned_to_fit, 0, "both_turned", "took the wrong ones"),
    ("head_parts", counted_from_1, 0, "counted_from_1", "from 0"),
    ("head_parts", of_the_other, 0, "matrices_exchanged", "the other matrix"),
    ("trace_shapes", traced_in_eval_mode, 5, "mode_changed", "eval()"),
    ("trace_shapes", traced_in_train_mode, 5, "mode_changed", "eval()"),
    ("trace_shapes", traced_or_nothing, 5, "error_swallowed", "the caller"),
    ("trace_shapes", traced_by("replaced"), None, "output_replaced", "returns None"),
    ("trace_shapes", traced_by("", lambda m: m.named_children()), 0, "children_only", "whole"),
    ("trace_shapes", traced_by("forward"), 0, "whole_missing", "module(x)"),
    ("heads_to_matrix", only_the_weight, 0, "weight_alone", "returned only one of the two"),
    ("head_parts", rows_of_both, 3, "output_rows", "are its columns"),
    ("unpack_gpt2", lambda weight: weight.chunk(3), 0, "cut_between_rows", "between columns"),
    ("unpack_neox", three_times_heads, 0, "blocks", "three blocks of d_model rows"),
    ("trace_shapes", lambda m, x: dict(traced_and_left(m, x)), 0, None, "It returned a dict"),
    ("trace_shapes", traced_with_modules, 0, None, "a tuple of a torch.nn.modules"),
    ("trace_shapes", traced, 3, None, "'tuple' object has no attribute 'shape'"),
    ("trace_shapes", traced_and_left, 5, "hooks_left", "call its remove()"),
    ("trace_shapes", traced_late, 0, None, "Pair 0 is"),
    ("relative_costs", total_time, 3, None, "This is not right yet"),
    ("relative_costs", own_clock, None, "answers_vary", "never uses what it gets as timer"),
]
