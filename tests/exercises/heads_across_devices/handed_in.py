"""Answers to the exercises on heads across devices, of the kind that students hand in."""

import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import scaled_dot_product_attention


def right(name):
    return checks.ALL[name].exercise.reference


def cuts(rows, columns):
    def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
        first, width = rank, len(w_query) // num_devices
        return *(rows(w, first, width) for w in (w_query, w_key, w_value)), columns(
            w_out, first, width
        )

    return cut_heads


def block(w, rank, width):
    return w[rank * width : (rank + 1) * width]


def block_of_columns(w, rank, width):
    return w[:, rank * width : (rank + 1) * width]


def by_rows_of_w_out(w, rank, width):
    return w[rank * width : (rank + 1) * width, :]


def three_alone(*args):
    return right("cut_heads")(*args)[:3]


def emptied(w_query, w_key, w_value, w_out, rank, num_devices):
    """Scales the pieces in place."""
    pieces = right("cut_heads")(w_query, w_key, w_value, w_out, rank, num_devices)
    pieces[0].mul_(1.0).add_(1.0)
    return pieces


def by_torch(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    return F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1) @ w_out.T


def by_the_library(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    return scaled_dot_product_attention(q, k, v)[0].transpose(0, 1).flatten(1) @ w_out.T


def attends(head_dim_of, divide=True):
    """One device's part, cut into heads of another size."""

    def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
        size = head_dim_of(head_dim, len(w_query))
        outs = []
        for i in range(0, len(w_query), size):
            q, k, v = (x @ w[i : i + size].T for w in (w_query, w_key, w_value))
            scores = q @ k.T / math.sqrt(head_dim) if divide else q @ k.T
            outs.append(scores.softmax(-1) @ v)
        return torch.cat(outs, -1) @ w_out.T

    return part_of_device


def before_w_out(x, w_query, w_key, w_value, w_out, head_dim):
    """Stops at the heads, as if the sum came before W_O."""
    q, k, v = (x @ w.T for w in (w_query, w_key, w_value))
    return (q @ k.T / math.sqrt(head_dim)).softmax(-1) @ v


def network(each=0.0, once=1.0, mean=False):
    """b_down ``each`` times in a part, and ``once`` times after the sum."""

    def feed_forward_parts(x, w_up, b_up, w_down, b_down, num_devices):
        pieces = zip(
            w_up.chunk(num_devices),
            b_up.chunk(num_devices),
            w_down.chunk(num_devices, 1),
            strict=True,
        )
        parts = [torch.relu(x @ u.T + b) @ d.T + each * b_down for u, b, d in pieces]
        parts = torch.stack(parts)
        return parts, (parts.mean(0) if mean else parts.sum(0)) + once * b_down

    return feed_forward_parts


def output_alone(*args):
    return right("feed_forward_parts")(*args)[1]


def parts_in_a_list(*args):
    parts, output = right("feed_forward_parts")(*args)
    return list(parts), output


def gelu(x, w_up, b_up, w_down, b_down, num_devices):
    width, parts = len(w_up) // num_devices, []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        parts.append(F.gelu(x @ w_up[own].T + b_up[own]) @ w_down[:, own].T)
    return torch.stack(parts), sum(parts) + b_down


def first_and_last(rank, num_devices, num_heads, num_kv_heads):
    first, count, holders = right("key_heads_of")(rank, num_devices, num_heads, num_kv_heads)
    return [first, first + count - 1, holders]


def divides(rank, num_devices, num_heads, num_kv_heads):
    share = num_kv_heads // num_devices
    return [rank * share, share, 1]


def in_turns(rank, num_devices, num_heads, num_kv_heads):
    _, count, holders = right("key_heads_of")(rank, num_devices, num_heads, num_kv_heads)
    return [rank % num_kv_heads, count, holders]


def divides_by_zero(rank, num_devices, num_heads, num_kv_heads):
    share = num_kv_heads // num_devices
    return [rank * share, share, num_devices // (num_kv_heads // share)]


def mean_of_the_outputs(query, keys, values, rank, is_causal):
    outputs = []
    for i in range(rank + 1 if is_causal else len(keys)):
        scores = query @ keys[i].T / query.shape[1] ** 0.5
        if is_causal and i == rank:
            scores = scores.masked_fill(scores.new_ones(scores.shape).triu(1) > 0, -math.inf)
        outputs.append(scores.softmax(-1) @ values[i])
    return torch.stack(outputs).mean(0)


def without_a_maximum(query, keys, values, rank, is_causal):
    total, weighted = 0.0, 0.0
    for i in range(rank + 1 if is_causal else len(keys)):
        exp = (query @ keys[i].T / query.shape[1] ** 0.5).exp()
        if is_causal and i == rank:
            exp = exp.tril()
        total, weighted = total + exp.sum(1, keepdim=True), weighted + exp @ values[i]
    return weighted / total


def everything_masked(query, keys, values, rank, is_causal):
    size = len(query)
    scores = query @ keys.flatten(0, 1).T / query.shape[1] ** 0.5
    if is_causal:
        allowed = torch.ones(scores.shape, dtype=torch.bool).tril(rank * size)
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(1) @ values.flatten(0, 1)


def ring_by_torch(query, keys, values, rank, is_causal):
    return F.scaled_dot_product_attention(query, keys.flatten(0, 1), values.flatten(0, 1))


def sends(reduce=lambda n: 2 * (n - 1) / n, ring=lambda n: (n - 1) / n, key=lambda h, kv: kv):
    def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
        unit = tokens * head_dim * bytes_per_number
        n = num_devices
        return [
            round(reduce(n) * unit * num_heads),
            round(ring(n) * 2 * unit * key(num_heads, num_kv_heads)),
        ]

    return bytes_sent


def in_kib(*sizes):
    return [number / 1024 for number in right("bytes_sent")(*sizes)]


ANSWERS = [
    ("cut_heads", cuts(block, block_of_columns), 7, None, ""),
    ("cut_heads", cuts(block, by_rows_of_w_out), None, "rows_of_w_out", "You cut rows of W_O."),
    ("cut_heads", cuts(block_of_columns, block_of_columns), None, "columns_of_qkv",
     "block of rows"),
    ("cut_heads", cuts(block, lambda w, rank, width: w), None, "out_whole", "You leave W_O whole."),
    ("cut_heads", three_alone, 0, None, "4 things"),
    ("cut_heads", emptied, None, "changes_input", "in place"),
    ("part_of_device", attends(lambda size, here: size), 6, None, ""),
    ("part_of_device", attends(lambda size, here: here), None, "one_wide_head", "several heads"),
    ("part_of_device", attends(lambda size, here: size, divide=False), None, "not_scaled", "root"),
    ("part_of_device", before_w_out, None, None, ""),
    ("part_of_device", by_torch, 0, "forbidden", "yourself"),
    ("part_of_device", by_the_library, 0, "forbidden", "course_lib's own"),
    ("feed_forward_parts", network(), 7, None, ""),
    ("feed_forward_parts", network(each=1.0, once=0.0), None, "bias_on_each", "num_devices times"),
    ("feed_forward_parts", network(each=1.0), None, "bias_on_each_and_once", "once more"),
    ("feed_forward_parts", network(once=0.0), None, "bias_forgotten", "never add b_down"),
    ("feed_forward_parts", network(mean=True), None, "mean", "parts of a sum"),
    ("feed_forward_parts", output_alone, 0, None, ""),
    ("feed_forward_parts", gelu, None, "other_activation", "ReLU"),
    ("key_heads_of", first_and_last, None, "last_for_count", "how many there are"),
    ("key_heads_of", divides, None, "divided_to_nothing", "needs a key head"),
    ("key_heads_of", in_turns, None, "in_turns", "neighbouring devices"),
    ("key_heads_of", divides_by_zero, None, None, ""),
    ("ring_output", mean_of_the_outputs, None, "mean_of_outputs", "maximum, total and weighted"),
    ("ring_output", without_a_maximum, 7, "no_maximum", "and it overflows"),
    ("ring_output", everything_masked, 6, "future_computed", "Skip them"),
    ("ring_output", ring_by_torch, 0, "forbidden", "Write it yourself"),
    ("bytes_sent", sends(), 7, None, ""),
    ("bytes_sent", sends(reduce=lambda n: (n - 1) / n), None, "one_pass", "go round twice"),
    ("bytes_sent", sends(reduce=lambda n: n - 1), None, "everything_to_everybody", "chunks"),
    ("bytes_sent", sends(ring=lambda n: 1), None, "n_steps", "num_devices - 1"),
    ("bytes_sent", sends(key=lambda h, kv: h), None, "query_heads", "num_kv_heads"),
    ("bytes_sent", in_kib, None, None, ""),
]  # fmt: skip
