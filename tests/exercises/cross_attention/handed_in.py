"""Answers to the exercises on cross attention, of the kind that students hand in."""

import math

import torch

import course_checks as checks


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
    """Changes one token of x (0) or the memory (1) and counts the rows or columns that move."""

    def test(attend, *inputs):
        changed = [each.clone() for each in inputs]
        changed[which][place] = torch.randn_like(changed[which][place])
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
        changed[i] = torch.randn_like(x[i])
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
            if not torch.allclose(one[0], together[b], atol=1e-5):
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


ANSWERS = [
    ("cross_attend", reads_itself, 0, "self_attention", "the memory is never read"),
    ("padding_mask", as_numbers, 5, "dtype", "adds a mask of numbers to the scores"),
    ("combine_masks", lambda a, b: a + b, 0, "or_for_and", "Both must allow it: &"),
    ("combine_masks", lambda a, b: a.int() * b, 4, "dtype", "it should be torch.bool"),
    ("combine_masks", lambda a, b: a and b, 0, None, "write &, | and ~"),
    ("rows_are_queries", all_queries_at_once, 0, "all_at_once", "Change one token"),
    ("attend_safely", attends_then_mends, 5, "replaced_too_late", "0 times NaN"),
    ("attend_safely", returns_early, 3, None, "has shape ()"),
    ("attend_safely", detached, 5, "gradient_cut", "cut them off"),
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
    ("padding_mask", row_of_a_triangle, 5, "zero_wraps", "row -1 of a triangle"),
    ("padding_mask", a_row_for_each_query, 0, "expanded", "the same row for each query"),
    ("combine_masks", lambda a, b: b, 0, "causal_returned", "as it came"),
    ("combine_masks", lambda a, b: b & a & a.mT, None, "queries_too", "as queries too"),
    ("combine_masks", lambda a, b: ~b & a, 0, "not_causal", "the future and nothing else"),
    ("combine_masks", lambda a, b: b & a[0], 0, "first_alone", "padding[0] leaves out"),
    ("combine_masks", lambda a, b: b & a.squeeze(), 0, "squeezed", "meet the queries"),
    ("rows_are_queries", moves_token(1, 0, dim=0), 0, "memory_columns", "Change a token of x"),
    ("rows_are_queries", moves_token(1, 0), 0, "memory_rows", "change a token of x"),
    ("rows_are_queries", moves_token(0, -1, part=0), 0, "output_compared", "compare the weights"),
    ("rows_are_queries", moves_token(0, 0, part=0), 0, "output_compared", "compare the weights"),
    ("rows_are_queries", moves_token(0, 0), 4, "one_query_only", "one token of x only"),
    ("rows_are_queries", moves_token(0, 1), 4, "one_query_only", "one token of x only"),
    ("rows_are_queries", moves_token(0, -1), 4, "one_query_only", "one token of x only"),
    ("rows_are_queries", rows_sum_to_one, 2, "by_row_sums", "whether the rows sum to 1"),
    ("rows_are_queries", sums_then_first, 4, "one_query_only", "one token of x only"),
    ("rows_are_queries", product_is_output, 2, "by_output", "both ways round"),
    ("rows_are_queries", row_i_moves, 0, None, "Your function says True"),
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
    ("attend_safely", attends_filled(-1e9), None, "lowest_number", "the average of the padding"),
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
