"""Answers to the exercises on fast attention, of the kind that students hand in."""

import math

import torch
import torch.nn.functional as F

from course_lib.attention.online_softmax import merge
from course_lib.attention.tiled import tiled_attention


def one_tensor(scores):
    return torch.softmax(scores, dim=0)


def keeps_the_maximum(scores):
    maximum, total, rows = scores[0], torch.tensor(0.0), []
    for score in scores:
        maximum = torch.maximum(maximum, score)
        total = total + torch.exp(score - maximum)
        rows.append((maximum, total))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


def adds_one(scores):
    totals = torch.arange(1, len(scores) + 1).to(scores.dtype)
    return scores.cummax(dim=0).values, totals


def sums_plainly(scores):
    return scores.cummax(dim=0).values, scores.exp().cumsum(dim=0)


def late_maximum(scores):
    return scores.cummax(dim=0).values, (scores - scores.max()).exp().cumsum(dim=0)


def indices_of_cummax(scores):
    maximum = scores.cummax(dim=0)
    return maximum, (scores - maximum).exp()


def adds_everything(first, second):
    return tuple(a + b for a, b in zip(first, second, strict=True))


def largest_and_sums(first, second):
    return torch.maximum(first[0], second[0]), first[1] + second[1], first[2] + second[2]


def already_divided(first, second):
    maximum = torch.maximum(first[0], second[0])
    a, b = torch.exp(first[0] - maximum), torch.exp(second[0] - maximum)
    total = a * first[1] + b * second[1]
    return maximum, total, (a * first[2] + b * second[2]) / total


def without_the_edge(first, second):
    maximum = torch.maximum(first[0], second[0])
    a, b = torch.exp(first[0] - maximum), torch.exp(second[0] - maximum)
    return maximum, a * first[1] + b * second[1], a * first[2] + b * second[2]


def wrong_way_round(first, second):
    maximum = torch.maximum(first[0], second[0])
    a, b = torch.exp(second[0] - maximum), torch.exp(first[0] - maximum)
    return maximum, a * first[1] + b * second[1], a * first[2] + b * second[2]


def in_place(first, second):
    maximum = torch.maximum(first[0], second[0])
    shift = maximum.masked_fill(maximum == -math.inf, 0.0)
    a, b = torch.exp(first[0] - shift), torch.exp(second[0] - shift)
    first[1].mul_(a).add_(b * second[1])
    first[2].mul_(a).add_(b * second[2])
    return maximum, first[1], first[2]


def of_the_course(first, second):
    from course_lib.attention.online_softmax import PartialSoftmax

    return merge(PartialSoftmax(*first), PartialSoftmax(*second))


def one_table(query, key, value, block_len, is_causal):
    scores = query @ key.T / math.sqrt(query.shape[1])
    if is_causal:
        scores = scores.masked_fill(~torch.ones_like(scores).tril().bool(), -math.inf)
    return scores.softmax(dim=-1) @ value


def one_row_at_a_time(query, key, value, block_len, is_causal):
    rows = []
    for i in range(len(query)):
        end = i + 1 if is_causal else len(key)
        weights = torch.softmax(query[i] @ key[:end].T / math.sqrt(query.shape[1]), dim=0)
        rows.append(weights @ value[:end])
    return torch.stack(rows)


def of_torch(query, key, value, block_len, is_causal):
    return F.scaled_dot_product_attention(query, key, value, is_causal=is_causal)


def of_the_library(query, key, value, block_len, is_causal):
    return tiled_attention(query, key, value, is_causal=is_causal, block_len=block_len)


def softmax_of_each_tile(query, key, value, block_len, is_causal):
    """Right but for the merge."""
    outputs = []
    for rows in query.split(block_len):
        tiles = zip(key.split(block_len), value.split(block_len), strict=True)
        found = [torch.softmax(rows @ k.T / math.sqrt(len(k[0])), dim=-1) @ v for k, v in tiles]
        outputs.append(torch.stack(found).mean(dim=0))
    return torch.cat(outputs)


def never_hides(query, key, value, block_len, is_causal):
    outputs = []
    for rows in query.split(block_len):
        maximum, total, weighted = torch.full((len(rows), 1), -math.inf), 0.0, 0.0
        for k, v in zip(key.split(block_len), value.split(block_len), strict=True):
            scores = rows @ k.T / math.sqrt(query.shape[1])
            new = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
            shrink, numerators = torch.exp(maximum - new), torch.exp(scores - new)
            total = shrink * total + numerators.sum(dim=-1, keepdim=True)
            weighted = shrink * weighted + numerators @ v
            maximum = new
        outputs.append(weighted / total)
    return torch.cat(outputs)


def three_passes(h, q, k, d, size):
    return [h * size * (2 * q * d + 2 * k * d + 3 * q * k), h * size * (2 * q * d + 2 * k * d)]


def same_lengths(h, q, k, d, size):
    return [h * size * (4 * q * d + 4 * q * q), h * size * 4 * q * d]


def no_output(h, q, k, d, size):
    return [h * size * (q * d + 2 * k * d + 4 * q * k), h * size * (q * d + 2 * k * d)]


def one_number(h, q, k, d, size):
    return h * size * (2 * q * d + 2 * k * d)


def wired_to_torch(query, key, value, mask, is_causal, dropout, training):
    rate = dropout if training else 0.0
    return F.scaled_dot_product_attention(query, key, value, mask, rate, is_causal)


def tril_from_the_start(query, key, value, mask, is_causal, dropout, training):
    if is_causal:
        causal = torch.ones(len(query), len(key), dtype=torch.bool).tril()
        mask = causal if mask is None else mask & causal
    if mask is None:
        mask = torch.ones(len(query), len(key), dtype=torch.bool)
    some = mask.any(dim=1, keepdim=True)
    rate = dropout if training else 0.0
    return F.scaled_dot_product_attention(query, key, value, mask | ~some, rate) * some


def trusts_the_kernel(query, key, value, mask, is_causal, dropout, training):
    allowed = torch.ones(len(query), len(key), dtype=torch.bool)
    if is_causal:
        allowed = allowed.tril(len(key) - len(query))
    if mask is not None:
        allowed = allowed & mask
    rate = dropout if training else 0.0
    return F.scaled_dot_product_attention(query, key, value, allowed, rate)


def cleans_nan_only(query, key, value, mask, is_causal, dropout, training):
    return trusts_the_kernel(query, key, value, mask, is_causal, dropout, training).nan_to_num()


def forgets_training(query, key, value, mask, is_causal, dropout, training):
    return safe(query, key, value, mask, is_causal, dropout)


def never_drops(query, key, value, mask, is_causal, dropout, training):
    return safe(query, key, value, mask, is_causal, 0.0)


def safe(query, key, value, mask, is_causal, rate):
    allowed = torch.ones(len(query), len(key), dtype=torch.bool)
    if is_causal:
        allowed = allowed.tril(len(key) - len(query))
    allowed = allowed if mask is None else allowed & mask
    some = allowed.any(dim=1, keepdim=True)
    output = F.scaled_dot_product_attention(query, key, value, allowed | ~some, rate)
    return output.masked_fill(~some, 0.0)


def with_and(documents, window, batch, head, query, key):
    return documents[batch, query] == documents[batch, key] and key <= query


def loose_brackets(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    return same & (key <= query) & (head % 2 == 0) | (query - key < window)


def float_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    return (same & (key <= query) & ((head % 2 == 0) | (query - key < window))).float()


def documents_by_place(documents, window, batch, head, query, key):
    same = documents[0, query] == documents[0, key]
    return same & (key <= query) & ((head % 2 == 0) | (query - key < window))


def window_for_all(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    return same & (key <= query) & (query - key < window)


ANSWERS = [
    ("running_softmax", one_tensor, 0, None, "2 things"),
    (
        "running_softmax",
        keeps_the_maximum,
        None,
        "not_shrunk",
        "You never bring the total to the new maximum:",
    ),
    ("running_softmax", adds_one, None, None, "is not right yet"),
    ("running_softmax", sums_plainly, None, "never_shifted", "plain sums"),
    ("running_softmax", late_maximum, None, "maximum_of_all", "maximum of all"),
    ("running_softmax", indices_of_cummax, 0, None, "stopped with an error"),
    ("merge_parts", adds_everything, None, None, "is not right yet"),
    ("merge_parts", largest_and_sums, None, "only_added", "as they are"),
    ("merge_parts", already_divided, None, "divided", "last step"),
    ("merge_parts", without_the_edge, 5, "minus_infinity_twice", "is nan"),
    ("merge_parts", wrong_way_round, None, "exchanged_factors", "the other's factor"),
    ("merge_parts", in_place, 5, "changes_input", "changes its input first"),
    ("merge_parts", of_the_course, 0, "forbidden", "course_lib's own merge"),
    ("attend_in_tiles", one_table, None, "holds_a_table", "48 by 48"),
    ("attend_in_tiles", one_row_at_a_time, None, "more_than_a_tile", "Cut both"),
    ("attend_in_tiles", of_torch, 0, "forbidden", "Write it yourself"),
    ("attend_in_tiles", of_the_library, 0, "forbidden", "course_lib's own tiled_attention"),
    ("attend_in_tiles", softmax_of_each_tile, None, None, "is not right yet"),
    ("attend_in_tiles", never_hides, None, "never_causal", "changes nothing"),
    ("bytes_moved", three_passes, None, "table_once", "four"),
    ("bytes_moved", same_lengths, None, "square", "as many keys as queries"),
    ("bytes_moved", no_output, None, "output_forgotten", "written too"),
    ("bytes_moved", one_number, 0, None, "numbers"),
    ("safe_attention", wired_to_torch, None, "aligned_to_the_start", "as PyTorch's is_causal does"),
    ("safe_attention", tril_from_the_start, None, "aligned_to_the_start", "line the first query"),
    ("safe_attention", trusts_the_kernel, None, "as_the_kernel_does", "depends on the machine"),
    ("safe_attention", cleans_nan_only, None, "as_the_kernel_does", "depends on the machine"),
    ("safe_attention", forgets_training, None, "drops_always", "nobody is training"),
    ("safe_attention", never_drops, None, "drops_never", "never drop"),
    ("document_rule", with_and, 0, None, "stopped with an error"),
    ("document_rule", loose_brackets, None, "any_of_them", "fulfil them all"),
    ("document_rule", float_rule, None, "dtype", "float32"),
    ("document_rule", documents_by_place, None, "first_row", "use batch"),
    ("document_rule", window_for_all, None, "window_everywhere", "a window only"),
]
