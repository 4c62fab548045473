"""Answers of the kind that students hand in: what each must score, be called and be told."""

import copy
import math
import time

import pytest
import torch
from remembered_trials import remembered_trials  # noqa: F401 (a fixture)

from course_lib import SingleHead, checks
from course_lib.checks.many_heads import head_cases

SEEDS = range(8)


def attention_inputs(query_len=3, key_len=5, factor=1.0):
    shapes = (query_len, 4), (key_len, 4), (key_len, 2)
    return tuple(factor * torch.randn(shape) for shape in shapes)


def are_shares(attention, factor=1.0, atol=1e-5):
    weights = attention(*attention_inputs(factor=factor))[1]
    return bool((weights >= 0).all() and ((weights.sum(dim=-1) - 1).abs() <= atol).all())


# --- lesson 01 ---------------------------------------------------------------------------------


def on_zeros(attention):
    weights = attention(torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 2))[1]
    random = are_shares(attention)
    return random and bool((weights.sum(dim=-1) - 1).abs().max() < 1e-4)


def exactly_one(attention):
    return bool((attention(*attention_inputs())[1].sum(dim=-1) == 1).all())


def asserts_and_returns(attention):
    assert are_shares(attention)
    return True


def on_whole_numbers(attention):
    attention(torch.tensor([[1, 2]]), torch.tensor([[3, 4]]), torch.tensor([[5]]))


def attend_one_by_one(query, key, value):
    weights = torch.stack([torch.softmax(key @ row, dim=-1) for row in query])
    return weights @ value, weights


def calls_the_loop(query, key, value):
    return attend_one_by_one(query, key, value)


def cold_is_zero(scores, temperature):
    is_cold = temperature < 1e-6
    return checks.weights_at.exercise.reference(scores, 0 if is_cold else temperature)


def through_float32(scores, temperature):
    return checks.weights_at.exercise.reference(scores.float(), temperature)


def softmax_of_mask(scores, temperature):
    return torch.softmax((scores == scores.amax()).int(), dim=-1)


def temperature_first(temperature, scores):
    return torch.softmax(scores / temperature, dim=-1)


def forgotten_keepdim(scores):
    return scores.exp() / scores.exp().sum(dim=-1)


def max_with_indices(scores):
    shifted = scores - scores.max(dim=-1)
    return shifted.exp()


def only_the_weights(query, keys, values):
    return checks.attend_by_hand.exercise.reference(query, keys, values)[1]


def nested_output(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [output], weights


def sorts_the_keys(query, keys, values):
    answer = checks.attend_by_hand.exercise.reference(query, keys, values)
    keys.append([0.0])
    return answer


def rounded(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [round(x, 3) for x in output], [round(w, 3) for w in weights]


def of_the_notebook(query, key, value):
    return torch.ones(8, 64) @ key, value


def ignores_the_keys(query, key, value):
    weights = torch.softmax(query @ query.T, dim=-1)
    return weights @ query, weights


LESSON_01 = [
    # (exercise, answer, points or None, diagnosis, what the text must say)
    ("rows_sum_to_one", on_zeros, 5, None, "All of it is right"),
    ("rows_sum_to_one", lambda f: are_shares(f, atol=0.3), None, "too_loose", "too large a diff"),
    ("rows_sum_to_one", lambda f: are_shares(f, atol=0.5), None, "too_loose", "too large a diff"),
    ("rows_sum_to_one", lambda f: are_shares(f, 1000), 4, "saturated", "nearly one-hot"),
    ("rows_sum_to_one", exactly_one, 0, "exact", "exactly 1"),
    ("rows_sum_to_one", asserts_and_returns, 0, None, "return False instead"),
    ("rows_sum_to_one", on_whole_numbers, 0, None, "These are whole numbers (or True"),
    ("attend_all", calls_the_loop, 5, None, "loops in Python in attend_one_by_one, which it calls"),
    ("attend_all", lambda query, key, value: query @ key, 0, None, "(2x3 and 4x3)"),
    ("attend_all", lambda query, key, value: query @ key, 0, None, "must be transposed"),
    ("attend_all", lambda query, key, value: query.T @ key, 0, None, "(3x2 and 4x3)"),
    ("attend_all", of_the_notebook, 0, None, "8x64 is no shape that we passed: do you use a var"),
    ("attend_all", ignores_the_keys, 0, None, "never uses what it gets as key and value"),
    ("weights_at", cold_is_zero, 5, None, "does not hold yet: that holds at a very low"),
    ("weights_at", through_float32, 5, "dtype", "Your weights have dtype torch.float32"),
    ("weights_at", softmax_of_mask, 0, None, "need floats"),
    ("weights_at", temperature_first, 0, None, "defined with (temperature, scores)"),
    ("stable_softmax", forgotten_keepdim, 0, None, "keepdim=True keeps the axis"),
    ("stable_softmax", max_with_indices, 0, None, "use amax, or .values"),
    ("attend_by_hand", only_the_weights, 0, None, "returned only one of the two"),
    ("attend_by_hand", nested_output, 0, None, "a list whose first entry is a list"),
    ("attend_by_hand", sorts_the_keys, 4, "changes_input", "x = sorted(x) does"),
    ("attend_by_hand", rounded, 0, None, "do not round what you return"),
]


# --- lesson 02 ---------------------------------------------------------------------------------


def agrees(layer, x, order, **tolerance):
    return torch.allclose(layer(x[order]), layer(x)[order], **tolerance)


def some_order_agrees(layer, x):
    y = layer(x)
    for _ in range(8):
        order = torch.randperm(len(x))
        if torch.allclose(layer(x[order]), y[order], atol=1e-5):
            return True
    return False


def first_and_last(layer, x):
    order = [len(x) - 1, *range(1, len(x) - 1), 0]
    return agrees(layer, x, order, atol=1e-5)


def own_input(layer, x):
    return agrees(layer, torch.randn(8, 4), torch.randperm(8), atol=1e-5)


def own_input_forgiven(layer, x):
    try:
        return own_input(layer, x)
    except Exception:
        return True


def with_numpy(layer, x):
    return bool(layer(x.numpy()).any())


def sorted_outputs(layer, x):
    shuffled = layer(x[torch.randperm(len(x))])
    return torch.allclose(shuffled.sort(0)[0], layer(x).sort(0)[0], atol=1e-5)


def single_head_with(x, w_query, w_key, w_value, scores_of):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(scores_of(query, key), dim=-1)
    return weights @ value, weights


def colleagues_head(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
    return weights @ value, weights


def T_of_a_batch(x, *weights):  # noqa: N802
    return single_head_with(x, *weights, lambda q, k: q @ k.T / math.sqrt(q.shape[-1]))


def head_in_float32(x, *weights):
    weights = (weight.float() for weight in weights)
    return single_head_with(
        x.float(), *weights, lambda q, k: q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    )


def wrong_ratio(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) * 0.25


def root_of_int(query, key):
    return query @ key.transpose(-2, -1) / torch.sqrt(query.shape[-1])


def bool_minus(p):
    return torch.stack([torch.stack([p[i] * ((i == j) - p[j]) for j in (0, 1)]) for i in (0, 1)])


LESSON_02 = [
    (
        "is_equivariant",
        lambda f, x: agrees(f, x, torch.randperm(len(x))),
        0,
        "default_tolerance",
        "atol=1e-5",
    ),  # fmt: skip # noqa: E501
    (
        "is_equivariant",
        lambda f, x: agrees(f, x, torch.randperm(8), atol=1e-5),
        0,
        "fixed_length",
        "use len(x)",
    ),  # fmt: skip # noqa: E501
    ("is_equivariant", lambda f, x: agrees(f, x, torch.randperm(16)), 0, None, "index 1"),
    ("is_equivariant", sorted_outputs, None, "sorted_outputs", "throws the order away"),
    ("is_equivariant", some_order_agrees, 4, "any_order", "as soon as one order agrees"),
    ("is_equivariant", first_and_last, 4, "two_exchanged", "exchange two tokens only"),
    ("is_equivariant", own_input, 0, None, "8x4 is no shape that we passed"),
    ("is_equivariant", own_input_forgiven, 2, None, "it should say False"),
    ("is_equivariant", with_numpy, 0, None, "takes a torch.Tensor"),
    ("single_head", colleagues_head, 0, "colleagues_head", "both of its mistakes"),
    ("single_head", T_of_a_batch, 4, None, "Does a .T turn all of them round"),
    ("single_head", head_in_float32, 4, "dtype", "has dtype torch.float32"),
    ("scaled_scores", wrong_ratio, 0, None, "Here each entry of your scores is 0.250 times"),
    ("scaled_scores", root_of_int, 0, None, "math.sqrt"),
    ("softmax_jacobian", bool_minus, 0, None, "write float(i == j)"),
]


# --- lesson 03 ---------------------------------------------------------------------------------


def without_batch(heads):
    num_heads, length, head_dim = heads.shape
    return heads.transpose(0, 1).reshape(length, num_heads * head_dim)


def blocks_of_rows(heads, w_out):
    added = [head @ block for head, block in zip(heads, w_out.chunk(len(heads)), strict=False)]
    return torch.cat(list(heads), dim=-1) @ w_out, torch.stack(added)


def deepcopied(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    head = SingleHead(d_model, head_dim, bias=False)
    return torch.nn.ModuleList([copy.deepcopy(head) for _ in range(num_heads)])


def with_bias(num_heads, d_model, head_dim, seed):
    return torch.nn.ModuleList([SingleHead(d_model, head_dim) for _ in range(num_heads)])


def targets_at(items, places, *positions):
    return torch.stack([items.gather(1, own) for own in positions], dim=-1)


def off_the_end(items, places):
    return targets_at(items, places, places, places + 1, places + 2)


def mirrored(items, places):
    length = items.shape[1]
    return targets_at(items, places, places, length - 1 - places, (places + 1) % length)


def with_the_largest(items, places):
    targets = targets_at(items, places, places, places - places, places)
    return torch.cat([targets[..., :2], targets.amax(dim=-1, keepdim=True) + 1], dim=-1)


def one_set_for_each_item(items, places):
    return torch.stack([items.roll(-shift, 1) for shift in range(3)], dim=-1)


def index_for_place(items, places):
    index = torch.arange(places.shape[1]).expand(places.shape)
    return targets_at(items, places, *((index + shift) % items.shape[1] for shift in range(3)))


def concatenated_and_viewed(items, places):
    length = items.shape[1]
    positions = torch.cat([places, (places + 1) % length, (places + 2) % length], dim=1)
    return items.gather(1, positions).view(*places.shape, 3)


def multiples(items, places):
    return targets_at(items, places, *(places * factor % items.shape[1] for factor in (1, 2, 3)))


def some_places_share(items, places):
    shared = places.clamp(min=1)
    return targets_at(items, places, *((shared + i) % items.shape[1] for i in range(3)))


def first_rows_places(items, places):
    length = items.shape[1]
    return torch.stack([items[:, (places[0] + shift) % length] for shift in range(3)], dim=-1)


def random_offsets(items, places):
    length = items.shape[1]
    shifts = torch.randperm(length)[:3].tolist()
    return targets_at(items, places, *((places + shift) % length for shift in shifts))


def compares_one(name):
    def version(heads, out_proj, x):
        weights = [getattr(head, name).weight for head in heads]
        blocks = out_proj.weight.chunk(len(heads), dim=1)
        pairs = [*zip(weights, weights[1:], strict=False), *zip(blocks, blocks[1:], strict=False)]
        return all(torch.allclose(a, b, atol=1e-5) for a, b in pairs)

    return version


def trained_with_adam(heads, out_proj, x):
    optimizer = torch.optim.Adam([*heads.parameters(), *out_proj.parameters()], lr=1e-2)
    pattern = torch.sin(torch.arange(x.numel()).view(x.shape))
    for _ in range(20):
        optimizer.zero_grad()
        (out_proj(torch.cat([head(x)[0] for head in heads], dim=-1)) * pattern).sum().backward()
        optimizer.step()
    flat = [torch.nn.utils.parameters_to_vector(head.parameters()) for head in heads]
    return all(torch.allclose(flat[0], other, atol=1e-3) for other in flat)


def then_seeds_at_random(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = torch.nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.seed()
    return heads


def no_backward(heads, out_proj, x):
    return torch.allclose(heads[0].q_proj.weight.grad, heads[1].q_proj.weight.grad)


def heads_return_two(heads, out_proj, x):
    return bool(out_proj(torch.cat([head(x) for head in heads], dim=-1)).sum() > 0)


def equal_outputs(heads, out_proj, x):
    return all(torch.allclose(head(x)[0], heads[0](x)[0]) for head in heads)


def to_the_percent(head_counts, num_pointers, vocab_size):
    right = checks.predict_row.exercise.reference(head_counts, num_pointers, vocab_size)
    return [round(accuracy, 2) for accuracy in right]


LESSON_03 = [
    ("concatenate", lambda heads: torch.cat(heads, dim=-1), 0, None, "take a list of tensors"),
    ("concatenate", without_batch, None, None, "more leading dimensions"),
    ("mix_heads", blocks_of_rows, 0, "not_transposed", "its columns belong to what comes in"),
    ("make_heads", deepcopied, 3, "clones_and_global", "or they are copies of one"),
    ("make_heads", with_bias, 0, None, "should have no bias"),
    ("make_heads", lambda n, d, k, seed: [[]] * n, 0, None, "should be a SingleHead"),
    ("three_targets", off_the_end, 0, None, "Indices go from 0 to size - 1"),
    ("three_targets", mirrored, None, None, "two of the three targets are the same item"),
    ("three_targets", with_the_largest, 0, "computed", "You make new symbols"),
    ("three_targets", lambda items, places: places, 0, None, "(batch, num_queries, 3)"),
    ("three_targets", one_set_for_each_item, 0, None, "what it gets as places"),
    ("three_targets", index_for_place, 0, "by_index", "not from its place"),
    ("three_targets", concatenated_and_viewed, 0, "cat_and_view", "stack the lists"),
    ("three_targets", multiples, None, None, "for place 0, two of the three"),
    ("three_targets", some_places_share, 5, None, "places 0 and 1 ask for the same three"),
    ("three_targets", first_rows_places, 0, "first_rows_places", "queries of its own"),
    ("three_targets", random_offsets, 0, None, "give different targets"),
    ("stay_identical", compares_one("q_proj"), 4, "queries_only", "differ in v_proj"),
    ("stay_identical", compares_one("k_proj"), 4, "keys_only", "differ in q_proj"),
    ("stay_identical", compares_one("v_proj"), 4, "values_only", "look at different places"),
    ("stay_identical", trained_with_adam, 5, None, "All of it is right"),
    ("make_heads", then_seeds_at_random, 5, "leaves_it_random", "torch.seed() does that"),
    ("stay_identical", no_backward, 0, None, "until backward() has run"),
    ("stay_identical", heads_return_two, 0, None, "Take the first, [0]"),
    ("stay_identical", equal_outputs, 2, "heads_only", "different blocks"),
    ("predict_row", to_the_percent, 2, None, "do not round"),
    ("predict_row", lambda counts, k, v: counts[0] / k, 0, None, "It returned a float"),
]


# --- lesson 04 ---------------------------------------------------------------------------------


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
    x[0, 0] += 1
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
        changed[0, t] += 1
        others[0, t] = False
        moved |= not torch.allclose(layer(changed)[others], before[others], atol=1e-5)
    return moved


def in_all_sentences(layer, x):
    before, moved = layer(x), False
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] += 1
        moved |= not torch.allclose(layer(changed)[:, others], before[:, others], atol=1e-5)
    return moved


def no_copy(layer, x):
    before, moved = layer(x), False
    for t in range(x.shape[1]):
        changed, others = x, torch.arange(x.shape[1]) != t
        changed[0, t] += 1
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


def turned_to_fit(w_query, w_output, num_heads, i):
    own = slice(i * len(w_query) // num_heads, (i + 1) * len(w_query) // num_heads)
    return w_query[:, own].T, w_output[own].T


def counted_from_1(w_query, w_output, num_heads, i):
    size = len(w_query) // num_heads
    return w_query[(i - 1) * size : i * size], w_output[:, (i - 1) * size : i * size]


def of_the_other(w_query, w_output, num_heads, i):
    return checks.head_parts.exercise.reference(w_output, w_query, num_heads, i)


def one_for_three(weight, num_heads):
    return torch.stack(checks.unpack_neox.exercise.reference(weight, num_heads))


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


LESSON_04 = [
    ("split_heads", lambda x, n: x.view(len(x), -1, n, x.shape[2]), 0, None, "must multiply to"),
    ("combine_heads", view_refuses, 0, None, "use reshape, which copies where it must"),
    ("probe_layer", probes_with(shuffled_up_to_1e_8), 3, "exact", "atol=1e-5"),
    ("probe_layer", probes_with(None, without_its_batch_dimension), 0, None, "x[b] loses one"),
    ("probe_layer", probes_with(None, None, in_place), 3, "first_token_only", "input x in place"),
    ("probe_layer", probes_with(None, lambda f, x: True), 4, None, "independent: True for"),
    ("combine_heads", as_many_rows_as_heads, None, "heads_for_tokens", "as many rows as"),
    ("probe_layer", probes_with(follows(lambda y: y.flip(1))), 3, "special_order", "shuffled"),
    ("probe_layer", probes_with(follows(lambda y: y.roll(1, 1))), 3, "special_order", "shuffled"),
    ("probe_layer", probes_with(None, last_alone), 4, "last_sentence_only", "look at all of"),
    ("probe_layer", probes_with(None, exactly_alone), 4, "exact_alone", "atol=1e-5"),
    ("probe_layer", probes_with(None, None, of_the_whole_batch), 4, "whole_batch", "sentence b"),
    ("probe_layer", probes_with(None, None, in_all_sentences), 4, "across_sentences", "x[b, t]"),
    ("probe_layer", probes_with(None, None, no_copy), 3, "own_output", "x.clone()"),
    ("heads_to_matrix", stacked, 0, "stacked", "torch.cat"),
    ("head_parts", turned_to_fit, 0, "both_turned", "took the wrong ones"),
    ("head_parts", counted_from_1, 0, "counted_from_1", "from 0"),
    ("head_parts", of_the_other, 0, "matrices_exchanged", "the other matrix"),
    ("unpack_neox", one_for_three, 0, "one_tensor", "three tensors"),
    ("trace_shapes", traced_in_eval_mode, 5, "mode_changed", "eval()"),
    ("trace_shapes", traced_in_train_mode, 5, "mode_changed", "eval()"),
    ("trace_shapes", traced_or_nothing, 5, "error_swallowed", "the caller"),
    ("trace_shapes", traced_by("replaced"), None, "output_replaced", "returns None"),
    ("trace_shapes", traced_by("", lambda m: m.named_children()), 0, "children_only", "whole"),
    ("trace_shapes", traced_by("forward"), 0, "whole_missing", "module(x)"),
    ("heads_to_matrix", only_the_weight, 0, None, "returned only one of the two"),
    ("head_parts", rows_of_both, 3, "output_rows", "are its columns"),
    ("unpack_gpt2", lambda weight: weight.chunk(3), 0, "cut_between_rows", "between columns"),
    ("unpack_neox", three_times_heads, 0, "blocks", "three blocks of d_model rows"),
    ("trace_shapes", lambda m, x: dict(traced_and_left(m, x)), 0, None, "It returned a dict"),
    ("trace_shapes", traced_with_modules, 0, None, "a tuple of a torch.nn.modules"),
    ("trace_shapes", traced, 3, None, "'tuple' object has no attribute 'shape'"),
    ("trace_shapes", traced_and_left, 5, "hooks_left", "call its remove()"),
    ("trace_shapes", traced_late, 0, "last_name", "by then the loop has ended"),
    ("relative_costs", total_time, 3, "no_warm_up", "call each function once"),
    ("relative_costs", own_clock, None, "varies", "never uses what it gets as timer"),
]


# --- lesson 05 ---------------------------------------------------------------------------------


def float_triangle(query_len, key_len):
    return torch.ones(query_len, key_len).tril(key_len - query_len)


def changes_the_given_x(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        x[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(x)[:j], before[:j], atol=1e-5):
            return True
    return False


def fills(number):
    return lambda scores, mask: torch.softmax(scores.masked_fill(~mask, number), dim=-1)


def adds_in_float32(scores, mask):
    return torch.softmax(scores + (1 - mask.float()) * -1e9, dim=-1)


def fills_in_place(scores, mask):
    return torch.softmax(scores.masked_fill_(~mask, -torch.inf), dim=-1)


def without_weights(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, need_weights=False)


def one_for_the_heads(mask, batch, heads):
    return mask[:, None] if mask.dim() == 3 else mask


def in_the_first_round(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        changed = x.clone()
        changed[j] = torch.randn(x.shape[1])
        return not torch.allclose(layer(changed)[:j], before[:j], atol=1e-5)


def moves(layer, x, tokens, is_leak):
    before = layer(x)
    for j in tokens:
        changed = x.clone()
        changed[j] = torch.randn(x.shape[1])
        if is_leak(layer(changed)[:j], before[:j]):
            return True
    return False


def same(a, b):
    return torch.allclose(a, b, atol=1e-5)


def lets_nan_pass(layer, x):
    return moves(layer, x, range(1, len(x)), lambda a, b: (a - b).abs().max() > 1e-5)


def without_not(layer, x):
    return moves(layer, x, range(1, len(x)), same)


def spares_the_last(layer, x):
    return moves(layer, x, range(1, len(x) - 1), lambda a, b: not same(a, b))


def cuts_off(layer, x):
    return not all(same(layer(x[:k]), layer(x)[:k]) for k in range(1, len(x)))


def fourth_argument(layer, x, mask):
    return layer(x, x, x, ~mask)


def as_padding(layer, x, mask):
    return layer(x, x, x, key_padding_mask=~mask[-1].expand(len(x), -1))


def one_minus(layer, x, mask):
    return layer(x, x, x, attn_mask=1 - mask)


def float_of_another_dtype(layer, x, mask):
    return layer(x, x, x, attn_mask=torch.zeros(mask.shape).masked_fill(~mask, -torch.inf))


def one_behind_the_batch(mask, batch, heads):
    return mask.view(batch, 1, *mask.shape[-2:]).expand(batch, heads, -1, -1)


def divides_and_chooses(scores, mask):
    top = scores.masked_fill(~mask, -torch.inf).amax(dim=-1, keepdim=True)
    numerators = torch.exp(scores - top).masked_fill(~mask, 0)
    total = numerators.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, numerators / total, 0.0)


def renormalised(total_of):
    def version(scores, mask):
        weights = torch.softmax(scores, dim=-1) * mask
        return weights / total_of(weights.sum(dim=-1, keepdim=True), mask)

    return version


def plus_empty(total, mask):
    return total + ~mask.any(dim=-1, keepdim=True)


def at_least(number):
    return lambda total, mask: total.clamp(min=number)


def one_for_zero(total, mask):
    return total.masked_fill(total == 0, 1)


def fills_and_clears(number):
    return lambda scores, mask: fills(number)(scores, mask) * mask


def naive_exp(scores, mask):
    numerators = scores.exp() * mask
    return numerators / plus_empty(numerators.sum(dim=-1, keepdim=True), mask)


def times_any_row(scores, mask):
    return fills(-torch.inf)(scores, mask) * mask.any(dim=-1, keepdim=True)


def clamped_sum(scores, mask):
    top = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(dim=-1, keepdim=True)
    numerators = torch.exp(scores - top).masked_fill(~mask, 0)
    return numerators / numerators.sum(dim=-1, keepdim=True).clamp(min=1e-9)


def window_by_slices(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


def window_of(lower, upper):
    def version(length, window):
        everything = torch.ones(length, length, dtype=torch.bool)
        return everything.tril(lower) & everything.triu(upper(window))

    return version


def cut_off(scores, mask):
    return checks.safe_masked_softmax.exercise.reference(scores.detach(), mask)


LESSON_05 = [
    ("causal_mask", float_triangle, 4, "dtype", "adds a mask of numbers to the scores"),
    ("causal_mask", lambda q, k: torch.ones(q, k).triu(1), 0, "inverted", "True where a key is"),
    ("causal_mask", lambda q, k: None, 0, None, "is there a return at its end?\nYour function"),
    ("leaks", changes_the_given_x, 0, "not_cloned", "changes its input x in place"),
    ("leaks", in_the_first_round, None, "first_round_only", "ends in its first round"),
    ("leaks", without_not, 0, "missing_not", "when two outputs agree"),
    ("leaks", spares_the_last, 5, "last_token_spared", "the last token is never changed"),
    ("leaks", lets_nan_pass, 5, "nan_passes", "comparison with NaN is never true"),
    ("leaks", cuts_off, None, "cut_off", "Keep all tokens"),
    ("masked_softmax", fills(-1e9), 5, None, "float16 ends at 65504"),
    ("masked_softmax", fills(-65504), 5, "filled_with_1e4", "such as -10000 or -65504"),
    ("masked_softmax", fills(1e-9), 0, "filled_with_zero", "exp(0) is 1"),
    ("masked_softmax", adds_in_float32, 5, "dtype", "have dtype torch.float32"),
    ("masked_softmax", fills_in_place, 5, "changes_input", "changes its input scores in place"),
    ("masked_call", without_weights, 0, None, "as weights. It returned None"),
    ("masked_call", fourth_argument, 0, "key_padding", "write attn_mask="),
    ("masked_call", as_padding, 0, "padding_row", "the same keys for every query"),
    ("masked_call", lambda f, x, m: f(x, x, x, attn_mask=m.T), 0, "turned", "itself too"),
    ("masked_call", one_minus, 0, None, "turn a mask round with ~mask"),
    ("masked_call", float_of_another_dtype, 4, None, "dtype=x.dtype"),
    ("expand_mask", one_for_the_heads, 0, "not_expanded", "has shape (2, 1, 3, 4)"),
    ("expand_mask", one_behind_the_batch, None, None, "as many dimensions as you think"),
    ("expand_mask", lambda m, b, h: m.expand(b, h, -1, -1), 3, "aligned_to_heads", "nothing compl"),
    ("safe_masked_softmax", divides_and_chooses, 5, "replaced_too_late", "0 times NaN is NaN"),
    ("safe_masked_softmax", cut_off, 5, None, "No gradient reaches the scores"),
    ("safe_masked_softmax", renormalised(plus_empty), 5, "renormalised", "after the softmax"),
    ("safe_masked_softmax", renormalised(at_least(1e-6)), 5, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", renormalised(at_least(1e-9)), 4, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", renormalised(one_for_zero), 5, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", fills_and_clears(-20.0), 5, "filled_then_cleared", "a large number"),
    ("safe_masked_softmax", fills_and_clears(-1e4), 5, "filled_then_cleared", "a large number"),
    ("safe_masked_softmax", fills_and_clears(-1e9), 5, None, "float16 ends at 65504"),
    ("safe_masked_softmax", naive_exp, 5, "without_maximum", "exp of the scores as they are"),
    ("safe_masked_softmax", times_any_row, None, "not_a_number", "times 0 is NaN still"),
    ("safe_masked_softmax", clamped_sum, None, "with_eps", "In float16 that number is 0"),
    ("sliding_window_mask", window_by_slices, None, "negative_start", "counts from the end"),
    ("sliding_window_mask", window_of(-1, lambda w: 1 - w), 0, "past_only", "leaves out the token"),
    ("sliding_window_mask", window_of(0, lambda w: w - 1), None, "wrong_sign", "the future's side"),
]


# --- lesson 06 ---------------------------------------------------------------------------------


def reads_itself(x, memory, w_query, w_key, w_value):
    return checks.single_head.exercise.reference(x, w_query, w_key, w_value)


def as_numbers(lengths, max_len):
    return checks.padding_mask.exercise.reference(lengths, max_len).float()


def attends_then_mends(query, key, value, mask):
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    return (weights @ value).nan_to_num(), weights.nan_to_num()


def returns_early(query, key, value, mask):
    if not mask.any():
        return torch.zeros(()), torch.zeros(())
    return checks.attend_safely.exercise.reference(query, key, value, mask)


def detached(query, key, value, mask):
    return checks.attend_safely.exercise.reference(query, key.detach(), value, mask)


def needs_a_key(query, key, value, mask):
    scores = query @ key.mT
    return attends_then_mends(query, key - 0 * scores.amax(dim=-1).mean(), value, mask)


def scaled_by(size):
    def version(x, memory, w_query, w_key, w_value):
        query, key, value = x @ w_query.mT, memory @ w_key.mT, memory @ w_value.mT
        weights = torch.softmax(query @ key.mT / math.sqrt(size(x, memory)), dim=-1)
        return weights @ value, weights

    return version


def averages_the_memory(x, memory, w_query, w_key, w_value):
    weights = checks.cross_attend.exercise.reference(x, memory, w_query, w_key, w_value)[1]
    return weights @ memory, weights


def scores_for_weights(x, memory, w_query, w_key, w_value):
    query, key = x @ w_query.mT, memory @ w_key.mT
    scores = query @ key.mT * w_query.shape[0] ** -0.5
    return scores.softmax(dim=-1) @ (memory @ w_value.mT), scores


def row_of_a_triangle(lengths, max_len):
    return torch.ones(max_len, max_len).tril().bool()[lengths - 1][:, None, None, :]


def a_row_for_each_query(lengths, max_len):
    return checks.padding_mask.exercise.reference(lengths, max_len).repeat(1, 1, max_len, 1)


def attends_filled(number, mends=False):
    def version(query, key, value, mask):
        scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~mask, number)
        weights = scores.softmax(dim=-1)
        if mends:
            weights = weights * mask.any(dim=-1, keepdim=True)
        return weights @ value, weights

    return version


def shares_out(weights_of):
    def version(query, key, value, mask):
        weights = weights_of(query @ key.mT / math.sqrt(query.shape[-1]), mask)
        return weights @ value, weights

    return version


def blocks_the_real_ones(scores, mask):
    return scores.masked_fill(mask, -math.inf).softmax(dim=-1)


def without_the_scale(query, key, value, mask):
    return checks.attend_safely.exercise.reference(2 * query, key, value, mask)


def empty_output_alone(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    output, weights = attends_filled(-math.inf)(query, key, value, mask | ~has_any)
    return output * has_any, weights


def moves_token(which, place, part=1, dim=1):
    """Adds 1 to one token of x (0) or the memory (1) and counts the rows or columns that move."""

    def test(attend, *inputs):
        changed = [each.clone() for each in inputs]
        changed[which][place] += 1
        moved = (attend(*changed)[part] - attend(*inputs)[part]).abs() > 1e-5
        return bool(moved.any(dim=dim).sum() == 1)

    return test


def rows_sum_to_one(attend, x, memory):
    return bool(((attend(x, memory)[1].sum(dim=1) - 1).abs() < 1e-4).all())


def sums_then_first(attend, x, memory):
    weights = attend(x, memory)[1]
    rows, columns = (bool(((weights.sum(dim=d) - 1).abs() < 1e-4).all()) for d in (1, 0))
    return rows if rows != columns else moves_token(0, 0)(attend, x, memory)


def row_i_moves(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        changed = x.clone()
        changed[i] += 1
        if (attend(changed, memory)[1] - before)[i].abs().max() > 1e-5:
            return True
    return False


def product_is_output(attend, x, memory):
    output, weights = attend(x, memory)
    return weights.shape[1] == len(memory) and torch.allclose(weights @ memory, output, atol=1e-5)


def alone(*sentences):
    def test(model, source, lengths):
        together = model(source, lengths)
        for b in sentences:
            one = model(source[[b], : int(lengths[b])], lengths[[b]])
            if (one[0] - together[b]).abs().max() > 1e-5:
                return True
        return False

    return test


def all_queries_at_once(attend, x, memory):
    moved = (attend(torch.randn_like(x), memory)[1] - attend(x, memory)[1]).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


def in_pairs(model, source, lengths):
    pairs = [model(source[b : b + 2], lengths[b : b + 2])[0] for b in range(len(source))]
    return not torch.allclose(torch.stack(pairs), model(source, lengths), atol=1e-5)


def without_the_batch(model, source, lengths):
    return bool((model(source[0], lengths[0]) - model(source, lengths)[0]).abs().max() > 1e-5)


LESSON_06 = [
    ("cross_attend", reads_itself, 0, "self_attention", "the memory is never read"),
    ("padding_mask", as_numbers, 4, "dtype", "adds a mask of numbers to the scores"),
    ("combine_masks", lambda a, b: a + b, 0, "or_for_and", "Both must allow it: &"),
    ("combine_masks", lambda a, b: a.int() * b, 4, "dtype", "it should be torch.bool"),
    ("rows_are_queries", all_queries_at_once, 0, "all_at_once", "Change one token"),
    ("attend_safely", attends_then_mends, 5, "replaced_too_late", "0 times NaN"),
    ("attend_safely", returns_early, 3, None, "has shape ()"),
    ("attend_safely", detached, 5, None, "cut it off"),
    ("attend_safely", needs_a_key, 4, None, "amax(): Expected reduction dim"),
    ("depends_on_neighbours", in_pairs, 3, "keeps_padding", "cut the sentence off"),
    ("depends_on_neighbours", without_the_batch, 0, None, "stopped with an error"),
    ("cross_attend", scaled_by(lambda x, m: x.shape[-1]), 0, "scaled_by_d_model", "d_model"),
    ("cross_attend", scaled_by(lambda x, m: m.shape[-1]), 0, "scaled_by_d_memory", "head_dim"),
    ("cross_attend", scaled_by(lambda x, m: m.shape[-2]), 0, "scaled_by_key_len", "how many keys"),
    ("cross_attend", averages_the_memory, 3, "value_not_projected", "memory @ w_value.T"),
    ("cross_attend", scores_for_weights, 2, "scores_returned", "what the softmax makes of them"),
    (
        "cross_attend",
        lambda *args: checks.cross_attend.exercise.reference(*args)[::-1],
        0,
        "order",
        "The output comes first",
    ),
    ("padding_mask", row_of_a_triangle, 4, "zero_wraps", "row -1 of a triangle"),
    ("padding_mask", a_row_for_each_query, 0, "expanded", "the same row for each query"),
    ("combine_masks", lambda a, b: b, 0, "causal_returned", "as it came"),
    ("combine_masks", lambda a, b: b & a & a.mT, None, "queries_too", "as queries too"),
    ("combine_masks", lambda a, b: ~b & a, 0, "not_causal", "the future and nothing else"),
    ("combine_masks", lambda a, b: b & a[0], 0, "first_alone", "padding[0] leaves out"),
    ("combine_masks", lambda a, b: b & a.squeeze(), 0, "squeezed", "meet the queries"),
    ("rows_are_queries", moves_token(1, 0, dim=0), 0, "memory_columns", "Change a token of x"),
    ("rows_are_queries", moves_token(1, 0), 0, "memory_rows", "change a token of x"),
    ("rows_are_queries", moves_token(0, -1, part=0), 0, "last_output", "compare the weights"),
    ("rows_are_queries", moves_token(0, 0, part=0), 0, "first_output", "compare the weights"),
    ("rows_are_queries", moves_token(0, 0), 4, "first_query_only", "the first token of x only"),
    ("rows_are_queries", moves_token(0, 1), 4, "second_query_only", "the second token of x only"),
    ("rows_are_queries", moves_token(0, -1), 4, "last_query_only", "the last token of x only"),
    ("rows_are_queries", rows_sum_to_one, 2, "by_row_sums", "whether the rows sum to 1"),
    ("rows_are_queries", sums_then_first, 4, "sums_then_last", "one token of x only"),
    ("rows_are_queries", product_is_output, 2, "by_output", "both ways round"),
    ("rows_are_queries", row_i_moves, 0, "always_rows", "Does it count?"),
    *(
        (
            "attend_safely",
            attends_filled(-number, mends=True),
            6,
            "reachable_number",
            "can be lower still",
        )
        for number in (20.0, 30.0, 50.0, 100.0, 1000.0)
    ),
    ("attend_safely", attends_filled(-50.0), None, "lowest_number", "the average of the padding"),
    (
        "attend_safely",
        shares_out(lambda scores, mask: scores.softmax(dim=-1) * mask),
        None,
        "blocked_too_late",
        "before the softmax",
    ),
    (
        "attend_safely",
        shares_out(lambda scores, mask: (scores * mask).softmax(dim=-1)),
        None,
        "times_mask",
        "A score of 0 is a score",
    ),
    (
        "attend_safely",
        shares_out(lambda scores, mask: (scores * mask).softmax(-1) * mask.any(-1, keepdim=True)),
        None,
        "times_mask",
        "A score of 0 is a score",
    ),
    ("attend_safely", shares_out(blocks_the_real_ones), None, "mask_inverted", "where ~mask"),
    (
        "attend_safely",
        shares_out(lambda scores, mask: scores.softmax(-1)),
        None,
        "mask_ignored",
        "blocks nothing",
    ),
    ("attend_safely", without_the_scale, None, "no_scale", "sqrt(head_dim)"),
    ("attend_safely", empty_output_alone, None, "weights_left", "its weights are not"),
    ("depends_on_neighbours", alone(1), None, "shortest_only", "the shortest sentence only"),
    ("depends_on_neighbours", alone(2), None, "last_only", "the last sentence only"),
    ("depends_on_neighbours", alone(2, 1), None, "skips_full", "without padding"),
    (
        "depends_on_neighbours",
        lambda *args: not alone(0, 1, 2)(*args),
        0,
        "inverted",
        "the wrong way round",
    ),
]


# --- lesson 07 ---------------------------------------------------------------------------------


def waves_in_float64(length, d_model):
    return checks.sinusoidal_positions.exercise.reference(length, d_model).double()


def row_by_row(x, table, offset):
    for t in range(x.shape[1]):
        x[:, t] += table[offset + t]
    return x


def turns_without_the_first(x, first_place):
    pairs = x.unflatten(-1, (-1, 2))
    angle = torch.arange(x.shape[-2])[:, None] * 10000 ** (
        -torch.arange(0, x.shape[-1], 2) / x.shape[-1]
    )
    cos, sin = angle.cos(), angle.sin()
    a, b = pairs[..., 0], pairs[..., 1]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def looks_at_x_itself(add_positions, x):
    placed = add_positions(x)
    alone = torch.cat([add_positions(row[None]) for row in x])
    gaps = (placed[:, :, None] - placed[:, None]).abs().amax(dim=-1)
    return bool((gaps > 1e-4).sum() > 0) and torch.allclose(placed, alone, atol=1e-5)


def zeros_in_one_batch(add_positions, x):
    placed = add_positions(torch.zeros_like(x))
    return bool((placed[0, 0] != placed[0, 1]).any() and (placed[0] == placed[1]).all())


def draws_each_row(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, length, head_dim)
    scores = turn_query(query) @ turn_key(key).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def scores_of(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, head_dim)
    return turn_query(query.repeat(length, 1)) @ turn_key(key.repeat(length, 1)).T


def next_key_only(*args):
    line = scores_of(*args).diagonal(1)
    return bool((line.max() - line.min()) < 1e-3)


def two_comparisons(*args):
    scores = scores_of(*args)
    return bool(abs(scores[0, 0] - scores[-1, -1]) + abs(scores[0, 1] - scores[-2, -1]) < 1e-3)


def first_half(turn_query, turn_key, length, head_dim):
    scores = scores_of(turn_query, turn_key, length // 2 + 1, head_dim)
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def distance_without_sign(*args):
    scores = scores_of(*args)
    lines = [cat_both(scores, n) for n in range(len(scores))]
    return all((line.max() - line.min()).item() < 1e-3 for line in lines)


def cat_both(scores, n):
    return torch.cat([scores.diagonal(n), scores.diagonal(-n)])


def key_left_in_place(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, head_dim)
    scores = turn_query(query.repeat(length, 1)) @ key.repeat(length, 1).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def without_atol(*args):
    scores = scores_of(*args)
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1])


def one_vector_for_both(turn_query, turn_key, length, head_dim):
    x = torch.rand(head_dim).repeat(length, 1)
    scores = turn_query(x) @ turn_key(x).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def others_replaced(add_positions, x):
    alike = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    if len(alike.unique(dim=0)) < len(alike):
        return False
    placed, length = add_positions(x), len(x)
    for b in range(length):
        others = torch.rand_like(x)
        others[b] = x[b]
        if not torch.allclose(add_positions(others)[b], placed[b], atol=1e-5):
            return False
    return torch.allclose(add_positions(x.roll(1, 0)).roll(-1, 0), placed, atol=1e-5)


def up_to(atol, sentences=slice(None)):
    def test(add_positions, x):
        alike = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
        apart = (alike[:, None] - alike).abs().amax(dim=-1) + torch.eye(len(alike))
        pairs = list(zip(x, add_positions(x), strict=True))[sentences]
        gaps = [(add_positions(one[None])[0] - placed).abs().max() for one, placed in pairs]
        return bool((apart > 1e-4).all() and max(gaps) < atol)

    return test


def turned_in_place(x, first_place):
    length, features = x.shape[-2:]
    angle = torch.arange(first_place, first_place + length)[:, None] * 10000 ** (
        -torch.arange(0, features, 2) / features
    )
    out, cos, sin = x.clone(), angle.cos(), angle.sin()
    out[..., ::2] = out[..., ::2] * cos - out[..., 1::2] * sin
    out[..., 1::2] = out[..., 1::2] * cos + out[..., ::2] * sin
    return out


def causal_too(scores, slopes):
    scores = checks.alibi_scores.exercise.reference(scores, slopes)
    rows, columns = scores.shape[-2:]
    return scores.masked_fill(torch.ones(rows, columns).triu(columns - rows + 1) == 1, -math.inf)


def from_the_start(scores, slopes):
    rows, columns = (torch.arange(n) for n in scores.shape[-2:])
    return scores - slopes.view(-1, 1, 1) * (rows[:, None] - columns[None]).abs()


rotary_answer = checks.rotary.exercise.reference


LESSON_07 = [
    ("sinusoidal_positions", waves_in_float64, 5, "dtype", "it should be torch.float32"),
    ("add_learned", row_by_row, 5, "changes_input", "changes its input x in place"),
    ("add_learned", lambda x, t, o: x + t[o : o + len(x)][:, None], None, "by_batch", "sentence"),
    ("rotary", turns_without_the_first, 5, "first_place_ignored", "whatever first_place is"),
    ("places_by_time", looks_at_x_itself, None, "batch_only", "Does it ask with equal"),
    ("places_by_time", zeros_in_one_batch, 2, "zeros", "gives zeros back"),
    ("depends_on_distance_only", draws_each_row, 0, "always_false", "the same query stand in"),
    ("depends_on_distance_only", next_key_only, 4, "some_scores", "from end to end"),
    ("depends_on_distance_only", two_comparisons, 4, "some_scores", "from end to end"),
    ("depends_on_distance_only", first_half, 4, "too_short", "only the first places"),
    ("depends_on_distance_only", distance_without_sign, 0, "sides_alike", "i - j has a sign"),
    ("depends_on_distance_only", key_left_in_place, None, None, "what it gets as turn_key"),
    ("depends_on_distance_only", without_atol, None, "too_strict", "Allow for rounding"),
    ("depends_on_distance_only", one_vector_for_both, 4, "one_vector", "draw two"),
    ("places_by_time", others_replaced, 5, "size_kept", "size of the batch"),
    ("places_by_time", up_to(0.05), 5, "too_loose", "too large a difference"),
    ("places_by_time", up_to(1e-5, slice(-1, None)), 5, "last_sentence_only", "for every one"),
    ("add_learned", lambda x, t, o: x + t[o : o + x.shape[1]].detach(), 5, None, "x and table"),
    ("add_learned", lambda x, t, o: x + t[o : o + len(x)], None, "sliced_by_batch", "sentences"),
    ("rotary", turned_in_place, 0, "overwritten", "keep them"),
    ("rotary", lambda x, p: rotary_answer(x, p).detach(), 5, None, "gradients must reach x"),
    ("alibi_scores", causal_too, None, "masked", "That is the mask's business"),
    ("alibi_scores", from_the_start, 4, "aligned_to_start", "key_len - query_len"),
]


# --- lesson 08 ---------------------------------------------------------------------------------


def torchs_own_norm(x, weight, bias, eps):
    return torch.nn.LayerNorm(x.shape[-1])(x)


def torch_functional_norm(x, weight, bias, eps):
    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


def std_and_eps(x, weight, bias, eps):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


def norm_without_keepdim(x, weight, bias, eps):
    return (x - x.mean(-1)) / (x.var(-1) + eps).sqrt() * weight + bias


def first_over_the_batch(x, weight, bias, eps):
    return checks.layer_norm.exercise.reference(x.movedim(0, -1), 1, 0, eps).movedim(-1, 0)


def norm_by_moments(x, weight, bias, eps):
    mean, square = x.sum(-1, keepdim=True) / x.shape[-1], (x * x).mean(-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(square - mean**2 + eps) + bias


def norm_over(axis):
    def norm(x, weight, bias, eps):
        root = torch.sqrt(x.var(axis, unbiased=False, keepdim=True) + eps)
        return (x - x.mean(axis, keepdim=True)) / root * weight + bias

    return norm


def norm_divides_by_the_size(x, weight, bias, eps):
    size = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return weight * (x - x.mean(-1, keepdim=True)) / size + bias


def fresh_maps(x, w_up, b_up, w_down, b_down):
    up, down = torch.nn.Linear(*w_up.T.shape), torch.nn.Linear(*w_down.T.shape)
    return down(torch.nn.functional.gelu(up(x)))


def x_becomes_normal(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))


def answer_becomes_normal(x, sublayer, norm, norm_first):
    return x + norm(sublayer(x)) if norm_first else norm(x + sublayer(x))


def overwrites_the_branch(x, sublayer, norm, norm_first):
    if norm_first:
        y = x + sublayer(norm(x))
    y = norm(x + sublayer(x))
    return y


def adds_in_place(x, sublayer, norm, norm_first):
    x += sublayer(norm(x) if norm_first else x)
    return x if norm_first else norm(x)


def zeros_of_the_stream(layer, x, p):
    layer.train()
    return (layer(x) == 0).float().mean() > p


def between_p_and_2p(layer, x, p):
    own = layer.eval()(x) != x
    runs = range(1 + 900 // x.numel())
    return torch.cat([(layer.train()(x) == x)[own] for _ in runs]).double().mean() > 1.5 * p


def share_of_zeros(layer, x, p, runs=170):
    own = layer.eval()(x) != x
    layer.train()
    return torch.cat([(layer(x) == x)[own] for _ in range(runs)]).double().mean()


def seeded_and_above_p(layer, x, p):
    torch.manual_seed(0)
    return share_of_zeros(layer, x, p) > p


def below_what_two_keep(layer, x, p):
    return share_of_zeros(layer, x, p) < (1 - p) ** 2


def keeps_more_than_the_middle(layer, x, p):
    return 1 - share_of_zeros(layer, x, p) > ((1 - p) + (1 - p) ** 2) / 2


def asks_twenty_times(layer, x, p):
    return share_of_zeros(layer, x, p, runs=20) > p + p * (1 - p) / 2


def holds_two_dropouts(layer, x, p):
    return len([part for part in layer.modules() if isinstance(part, torch.nn.Dropout)]) >= 2


def counts_with(**changed):
    """The biases, norms and maps of a block one by one, with some of them other than they are."""

    def counts(vocab_size, max_len, d_model, num_layers):
        d, parts = d_model, {"last": 2, "bias_up": 4, "bias_down": 1, "bias_attn": 4, "norms": 4}
        parts |= changed
        block = 12 * d * d + d * sum(parts[key] for key in list(parts)[1:5])
        blocks = num_layers * block + parts.get("in_blocks", 0) * d
        return [vocab_size * d, max_len * d, blocks, parts["last"] * d]

    return counts


def only_the_sum(vocab_size, max_len, d_model, num_layers):
    return sum(checks.gpt2_parameters.exercise.reference(vocab_size, max_len, d_model, num_layers))


def of_one_size(vocab_size, max_len, d_model, num_layers):
    return checks.gpt2_parameters.exercise.reference(vocab_size, max_len, 768, num_layers)


def calls_fresh_layers(encoder, x):
    for part in encoder.layers:
        width, heads = part.linear1.in_features, part.self_attn.num_heads
        layer = torch.nn.TransformerEncoderLayer(
            width, heads, part.linear1.out_features, 0.0, part.activation, batch_first=True,
            norm_first=part.norm_first, dtype=x.dtype,
        )  # fmt: skip
        layer.load_state_dict(part.state_dict())
        x = layer.eval()(x)
    return x if encoder.norm is None else encoder.norm(x)


def encodes_by(order):
    def encode(encoder, x):
        for layer in encoder.layers:
            is_first = order(encoder, layer)
            n1, n2 = layer.norm1, layer.norm2
            y = n1(x) if is_first else x
            x = x + layer.self_attn(y, y, y, need_weights=False)[0]
            x = x if is_first else n1(x)
            y = n2(x) if is_first else x
            x = x + layer.linear2(layer.activation(layer.linear1(y)))
            x = x if is_first else n2(x)
        return encoder.norm(x) if encoder.norm is not None else x

    return encode


encodes_swapped = encodes_by(lambda encoder, layer: not layer.norm_first)
encodes_as_layer_0 = encodes_by(lambda encoder, layer: encoder.layers[0].norm_first)


def calls_the_layers(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return encoder.norm(x)


def keeps_the_pair(encoder, x):
    layer = encoder.layers[0]
    return layer.norm1(x + layer.self_attn(x, x, x))


def norm_is_always_there(encoder, x):
    return encoder.norm(checks.encode.exercise.reference(encoder, x))


def a_list_of_paths(x, weights):
    return list(checks.paths_by_length.exercise.reference(x, weights))


def in_place_from_the_shortest(x, weights):
    out = torch.zeros(len(weights) + 1, *x.shape, dtype=x.dtype)
    out[0] = x
    for i, weight in enumerate(weights):
        for k in range(1, i + 2):
            out[k] += out[k - 1] @ weight.T
    return out


def without_the_sum(x, weights):
    for weight in weights:
        x = x @ weight.T
    return x


LESSON_08 = [
    ("layer_norm", torchs_own_norm, 0, None, "own norm is closed here"),
    ("layer_norm", torch_functional_norm, 0, None, "own norm is closed here"),
    ("layer_norm", norm_by_moments, 5, "moments", "lose their digits"),
    ("layer_norm", norm_over(0), 0, "over_the_first_axis", "dim=0"),
    ("layer_norm", norm_over(1), None, "over_axis_1", "Count from the end"),
    ("layer_norm", norm_divides_by_the_size, 0, "squares_not_centred", "below it"),
    ("layer_norm", std_and_eps, 0, "unbiased_and_eps_outside", "two things at once"),
    ("layer_norm", norm_without_keepdim, 0, None, "keepdim=True keeps the axis"),
    ("feed_forward", fresh_maps, 0, "varies", "two different answers"),
    ("block_step", x_becomes_normal, 3, "stream_normalised_in_pre", "x = norm(x) on the way"),
    ("block_step", adds_in_place, 5, "changes_input", "x -= 1 does not"),
    ("block_step", answer_becomes_normal, 3, "update_normalised_in_pre", "what it reads"),
    ("block_step", overwrites_the_branch, 3, "always_post", "norm_first has no effect"),
    ("drops_twice", zeros_of_the_stream, 0, "never", "as x is in it"),
    ("drops_twice", between_p_and_2p, None, "adds_probabilities", "they keep (1 - p) * (1 - p)"),
    ("drops_twice", seeded_and_above_p, 0, "more_than_p", "half-way between p"),
    ("drops_twice", below_what_two_keep, 0, "dropped_against_kept", "what is dropped"),
    ("drops_twice", keeps_more_than_the_middle, 0, "exchanged", "what is kept"),
    ("drops_twice", asks_twenty_times, 5, None, "when x has few numbers"),
    ("drops_twice", holds_two_dropouts, 4, "counts_modules", "its output only"),
    ("gpt2_parameters", counts_with(bias_attn=0), 0, "four_too_few", "biases of attention"),
    ("gpt2_parameters", counts_with(bias_up=0), 0, "four_too_few", "the FFN's first map"),
    ("gpt2_parameters", counts_with(norms=2), 0, "two_too_few", "one half of both"),
    ("gpt2_parameters", counts_with(bias_down=0), 0, "one_too_few", "second map"),
    ("gpt2_parameters", counts_with(last=1), 0, "half_a_last_norm", "Your last norm"),
    ("gpt2_parameters", counts_with(in_blocks=2), 2, "last_norm_in_the_blocks", "fourth entry"),
    ("gpt2_parameters", only_the_sum, 0, None, "a list of numbers as counts"),
    ("gpt2_parameters", of_one_size, None, None, "never uses what it gets as d_model"),
    ("encode", calls_the_layers, 0, None, "own forward is closed here"),
    ("encode", calls_fresh_layers, 0, None, "own forward is closed here"),
    ("encode", encodes_swapped, 0, "orders_exchanged", "changed places"),
    ("encode", encodes_as_layer_0, 5, "order_of_the_first", "mixes both orders"),
    ("encode", keeps_the_pair, 0, None, "return two things"),
    ("encode", norm_is_always_there, None, None, "is None"),
    ("paths_by_length", in_place_from_the_shortest, 2, "shortest_first", "longest to the shortest"),
    ("paths_by_length", a_list_of_paths, 0, None, "It returned a list"),
    ("paths_by_length", without_the_sum, 0, None, "expected (3, 1, 2)"),
]


# --- lesson 09 ---------------------------------------------------------------------------------


def empty_rows_count(weights, mask):
    entropy = -(weights * weights.log()).nan_to_num().sum(dim=-1)
    return (entropy / mask.expand(weights.shape).sum(dim=-1).log()).nanmean(dim=(0, 2))


def share_of_maximum(weights, mask):
    """One maximum for all queries, and all queries count."""
    entropy = torch.special.entr(weights).sum(dim=-1)
    return entropy.mean(dim=(0, 2)) / math.log(weights.shape[-1])


def only_last_sentence(weights):
    return weights[-1].diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)


def of_first_text(weights, tokens):
    return checks.induction.exercise.reference(weights, tokens[:1].expand_as(tokens))


def last_equal_by_dict(weights, tokens):
    scores, count = torch.zeros(weights.shape[1]), 0
    for b, text in enumerate(tokens.tolist()):
        places = {}
        for i, token in enumerate(text):
            if token in places:
                scores += weights[b, :, i, places[token] + 1]
                count += 1
            places[token] = i
    return scores / count


def one_number_at_a_time(measure, num_heads, chosen):
    return measure(()) - measure(chosen[0])


def near_in_short(weights, width, mask):
    found = checks.near_share.exercise.reference(weights, width, mask)[0]
    return found, torch.full_like(found, (2 * width + 1) / weights.shape[-1])


def at_the_verb(weights, query_positions, subject_positions):
    return checks.subject_head.exercise.reference(weights, query_positions + 1, subject_positions)


def flat_index(weights, query_positions, subject_positions):
    layer, head, weight = checks.subject_head.exercise.reference(
        weights, query_positions, subject_positions
    )
    return layer * weights.shape[2] + head, weight


def stops_at_failure(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        for high, low in (("score", "baseline"), ("cost", "control")):
            if any(row[high] <= row[low] + margin for row in seeds):
                break
            rung += 1
        else:
            rung += all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(rung)
    return answers


def without_first_row(weights, mask):
    return checks.entropy_share.exercise.reference(
        weights[:, :, 1:], mask.expand(weights.shape)[:, :, 1:]
    )


def returns_in_the_loop(weights):
    for query in range(1, weights.shape[-1]):
        return weights[:, :, query, query - 1].mean(dim=0)


def _targets(tokens):
    earlier = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    return torch.nn.functional.pad(earlier[:, :, :-1], (1, 0))


def counts_what_gets_weight(weights, tokens):
    on_targets = (weights * _targets(tokens)[:, None]).sum(dim=-1)
    return on_targets.sum(dim=(0, 2)) / (on_targets > 0).sum(dim=(0, 2))


def _text_by_text(weights, tokens, least=0):
    counts = _targets(tokens).any(dim=-1).sum(dim=-1)  # (batch,)
    sums = (weights * _targets(tokens)[:, None]).sum(dim=(2, 3))  # (batch, num_heads)
    return sums / counts.clamp(min=least)[:, None]


def mean_of_texts(weights, tokens):
    return _text_by_text(weights, tokens).mean(dim=0)


def mean_of_texts_that_count(weights, tokens):
    return _text_by_text(weights, tokens).nanmean(dim=0)


def mean_of_texts_clamped(weights, tokens):
    return _text_by_text(weights, tokens, least=1).mean(dim=0)


def moved_before_tril(weights, tokens):
    """Moves the table first, and then takes what lies strictly below the diagonal."""
    equal = torch.nn.functional.pad((tokens[:, :, None] == tokens[:, None, :])[:, :, :-1], (1, 0))
    targets = equal.tril(-1)
    found = (weights * targets[:, None]).sum(dim=-1).sum(dim=(0, 2))
    return found / targets.any(dim=-1).sum()


def for_each_target(weights, tokens):
    targets = _targets(tokens)
    return (weights * targets[:, None]).sum(dim=(0, 2, 3)) / targets.sum()


def control_first(measure, num_heads, chosen):
    return checks.cost_and_control.exercise.reference(measure, num_heads, chosen)[::-1]


def from_a_perfect_model(measure, num_heads, chosen):
    def perfect(removed):
        return measure(removed) if removed else 1.0

    return checks.cost_and_control.exercise.reference(perfect, num_heads, chosen)


def near_in_first(weights, width, mask):
    mask = mask.expand(weights.shape)
    return checks.near_share.exercise.reference(weights[:1], width, mask[:1])


def _mean_on_subject(weights, query_positions, subject_positions):
    places = zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
    picked = [weights[:, b, :, query, key] for b, (query, key) in enumerate(places)]
    return torch.stack(picked).mean(dim=0)  # (layers, num_heads)


def layer_then_head(weights, query_positions, subject_positions):
    means = _mean_on_subject(weights, query_positions, subject_positions)
    layer = means.mean(dim=1).argmax().item()
    head = means[layer].argmax().item()
    return layer, head, means[layer, head].item()


def head_then_layer(weights, query_positions, subject_positions):
    means = _mean_on_subject(weights, query_positions, subject_positions)
    head = means.mean(dim=0).argmax().item()
    layer = means[:, head].argmax().item()
    return layer, head, means[layer, head].item()


def two_before_the_verb(weights, query_positions, subject_positions):
    return checks.subject_head.exercise.reference(weights, query_positions - 1, subject_positions)


def _climbs(exceeds, is_met, keep=lambda row: row):
    """Rungs of claims by two tests of their own, on the rows that ``keep`` makes or leaves out."""

    def rungs(claims, margin):
        answers = []
        for seeds in claims:
            rows = [row for row in map(keep, seeds) if row]
            held = [
                all(exceeds(row["score"] - row["baseline"], margin) for row in rows),
                all(exceeds(row["cost"] - row["control"], margin) for row in rows),
                all(is_met(row["found"] - row["predicted"], margin) for row in rows),
            ]
            answers.append(1 + (held + [False]).index(False))
        return answers

    return rungs


def _more(difference, margin):
    return difference > margin


def _near(difference, margin):
    return abs(difference) < margin


def _zeros_for_nan(row):
    return {name: 0 if math.isnan(value) else value for name, value in row.items()}


without_abs = _climbs(_more, lambda difference, margin: difference < margin)
or_equal = _climbs(lambda d, margin: d >= margin, lambda d, margin: abs(d) <= margin)
zero_for_nan = _climbs(_more, _near, _zeros_for_nan)
complete_rows = _climbs(
    _more, _near, lambda row: None if any(map(math.isnan, row.values())) else row
)


LESSON_09 = [
    ("entropy_share", without_first_row, None, "first_query_dropped", "ask the mask how many"),
    ("previous_token", returns_in_the_loop, None, "first_query_only", "inside the loop"),
    ("induction", counts_what_gets_weight, 5, "queries_that_look_there", "look elsewhere"),
    ("induction", mean_of_texts, None, "text_first", "count alike"),
    ("induction", mean_of_texts_that_count, None, "text_first_some_skipped", "count alike"),
    ("induction", mean_of_texts_clamped, None, "text_first_some_0", "count alike"),
    ("induction", moved_before_tril, None, "own_place_left_out", "before you move it"),
    ("induction", for_each_target, None, "all_targets", "queries that have one"),
    ("cost_and_control", control_first, 0, "swapped", "(cost, control)"),
    ("cost_and_control", from_a_perfect_model, 0, "from_1", "It may be less"),
    ("near_share", near_in_first, None, "first_sentence_only", "the whole batch"),
    ("subject_head", layer_then_head, None, "best_layer_first", "all heads of all layers"),
    ("subject_head", head_then_layer, None, "best_number_first", "all heads of all layers"),
    ("subject_head", two_before_the_verb, 0, "query_one_earlier", "two before the verb"),
    ("rungs", zero_for_nan, 5, "unmeasured_is_0", "two zeros agree"),
    ("rungs", without_abs, None, "worse_than_predicted", "with abs()"),
    ("rungs", or_equal, 5, "equal_to_the_margin", "not >= and <="),
    ("rungs", complete_rows, 5, "unmeasured_passes", "leave such seeds out"),
    ("entropy_share", empty_rows_count, 5, None, "one token, or none"),
    ("entropy_share", share_of_maximum, 3, "without_mask", "do not use the mask"),
    ("previous_token", only_last_sentence, 3, None, "all queries of all sentences"),
    ("induction", of_first_text, None, "first_texts_targets", "in places of its own"),
    ("induction", last_equal_by_dict, 4, "last_one_only", "add their weights"),
    ("cost_and_control", one_number_at_a_time, 0, None, "removed is a tuple of heads"),
    ("near_share", near_in_short, 2, "baseline_without_edges", "count for each query"),
    ("subject_head", at_the_verb, 0, "query_one_later", "before it"),
    ("subject_head", flat_index, 0, None, "expected (3,), that is (layer, head, weight)"),
    ("rungs", stops_at_failure, 5, None, "not been shown"),
]


@pytest.mark.parametrize(
    ("name", "answer", "points", "diagnosis", "text"),
    LESSON_01
    + LESSON_02
    + LESSON_03
    + LESSON_04
    + LESSON_05
    + LESSON_06
    + LESSON_07
    + LESSON_08
    + LESSON_09,
)
def test_answer(name, answer, points, diagnosis, text):
    for seed in SEEDS:
        result = checks.ALL[name](answer, seed=seed)
        assert result.diagnosis == diagnosis, str(result)
        assert text in str(result), str(result)
        if points is None:
            assert result.points < result.max_points
        else:
            assert result.points == points, str(result)


def test_an_argument_that_need_not_be_used_is_not_missed():
    result = checks.stay_identical(lambda heads, out_proj, x: len(heads) == 2)
    assert "never uses what it gets as out_proj." in str(result), str(result)


def test_the_first_optimiser_of_a_process_is_built_before_the_clock_starts():
    head_cases._warm_up.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        built = []
        adam = torch.optim.Adam
        patched.setattr(
            torch.optim, "Adam", lambda *args, **kw: built.append(1) or adam(*args, **kw)
        )
        checks.stay_identical(lambda heads, out_proj, x: 1 / 0)
    assert len(built) == 1


def test_large_inputs_are_never_taken_for_a_single_key():
    for seed in range(40):
        result = checks.rows_sum_to_one(lambda f: are_shares(f, 10), seed=seed)
        assert result.diagnosis in (None, "saturated"), str(result)


def test_what_was_not_judged_is_not_called_wrong():
    def calls_an_undefined_name(query, key, value):
        return undefined(query), key  # noqa: F821

    first, *rest = checks.attend_all(calls_an_undefined_name).parts
    assert first[1] == 0
    assert [got for _, got, _ in rest] == [None] * 4
    text = str(checks.attend_all(calls_an_undefined_name))
    assert "– no loop in Python (– of 1)" in text
    assert text.count("✘") == 2  # the headline and the first line


def test_rounded_numbers_are_shown_with_the_digits_that_differ():
    (expected, yours) = checks.attend_by_hand(rounded).tables
    assert expected.decimals > 3
    for i, j in yours.marked:
        assert (
            f"{expected.rows[i][j]:.{yours.decimals}f}" != f"{yours.rows[i][j]:.{yours.decimals}f}"
        )


def test_one_exercise_that_calls_another_that_is_not_written():
    def helper(scores):
        raise NotImplementedError()

    result = checks.stable_softmax(lambda scores: helper(scores))
    assert result.status == "error" and "not written yet" in str(result)

    def own(scores):
        raise NotImplementedError("later")

    assert checks.stable_softmax(own).status == "error"


def test_ready_says_how_far_it_is(capsys):
    def in_place(scores):
        scores -= scores.amax(dim=-1, keepdim=True)
        return torch.softmax(scores, dim=-1)

    assert checks.stable_softmax.ready(in_place) is False
    assert "is not at full points yet (5 of 6): see what its check says" in capsys.readouterr().out


def test_words_for_lists_and_claims_that_fit():
    text = str(checks.attend_by_hand(lambda query, keys, values: (values[0], 1 / 0)))
    assert "for a query of 2 numbers, 2 keys of 2 numbers, 2 values of 3 numbers" in text
    for name, check in checks.ALL.items():
        claim = check.exercise.well_behaved
        assert ("dtype" in claim) == (check.exercise.kind == "tensor"), name


def test_the_line_follows_its_error():
    def float64_then_error(weights):
        if len(weights) > 2:
            raise ValueError("too long")
        return checks.softmax_jacobian.exercise.reference(weights).double()

    result = checks.softmax_jacobian(float64_then_error)
    assert "ValueError" in result.message[-1] and "dtype" in str(result)


def test_html_keeps_expected_and_yours_together():
    markup = checks.scaled_scores(wrong_ratio)._repr_html_()
    group, inputs = markup.split('<div style="display:flex;')[1:]
    assert group.startswith("flex-wrap:nowrap") and inputs.startswith("flex-wrap:wrap")
    assert "expected" in group and "yours" in group and "input query" in inputs
    assert "* = differs. Blue: above 0. Orange: below 0." in markup
    assert "<code>checks.scaled_scores(scaled_scores, seed=" in markup
