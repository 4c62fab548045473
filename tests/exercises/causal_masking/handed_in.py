"""Answers to the exercises on causal masking, of the kind that students hand in."""

import torch

import course_checks as checks


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
    return torch.softmax(scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf), dim=-1)


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


ANSWERS = [
    ("causal_mask", float_triangle, 4, "dtype", "adds a mask of numbers to the scores"),
    ("causal_mask", lambda q, k: torch.ones(q, k).triu(1), 0, "inverted", "True where a key is"),
    ("causal_mask", lambda q, k: None, 0, None, "is there a return at its end?\nYour function"),
    ("leaks", changes_the_given_x, 0, "not_cloned", "changes its input x in place"),
    ("leaks", in_the_first_round, None, "first_round_only", "ends in its first round"),
    ("leaks", without_not, 0, "missing_not", "when two outputs agree"),
    ("leaks", spares_the_last, 5, "last_token_spared", "the last token is never changed"),
    ("leaks", lets_nan_pass, 5, "nan_passes", "comparison with NaN is never true"),
    ("leaks", cuts_off, None, "cut_off", "Keep all tokens"),
    ("masked_softmax", fills(-1e9), 5, "filled_with_1e4", "such as -10000 or -1e9"),
    ("masked_softmax", fills(-65504), 5, "filled_with_1e4", "such as -10000 or -1e9"),
    ("masked_softmax", fills(1e-9), 0, "filled_with_zero", "exp(0) is 1"),
    ("masked_softmax", adds_in_float32, 5, "dtype", "have dtype torch.float32"),
    ("masked_softmax", fills_in_place, 5, "changes_input", "changes its input scores in place"),
    ("masked_call", without_weights, 0, "without_weights", "as weights. It returned None"),
    ("masked_call", fourth_argument, 0, "key_padding", "write attn_mask="),
    ("masked_call", as_padding, 0, "padding_row", "the same keys for every query"),
    ("masked_call", lambda f, x, m: f(x, x, x, attn_mask=m.T), 0, "turned", "itself too"),
    ("masked_call", one_minus, 0, None, "turn a mask round with ~mask"),
    ("masked_call", float_of_another_dtype, 4, None, "dtype=x.dtype"),
    ("expand_mask", one_for_the_heads, 0, "not_expanded", "has shape (2, 1, 3, 4)"),
    ("expand_mask", one_behind_the_batch, None, None, "as many dimensions as you think"),
    ("expand_mask", lambda m, b, h: m.expand(b, h, -1, -1), 3, "aligned_to_heads", "nothing compl"),
    ("safe_masked_softmax", divides_and_chooses, 5, "replaced_too_late", "0 times NaN is NaN"),
    ("safe_masked_softmax", cut_off, 5, "detached", "gradients must reach scores"),
    ("safe_masked_softmax", renormalised(plus_empty), 5, "renormalised", "after the exponentials"),
    ("safe_masked_softmax", renormalised(at_least(1e-6)), 5, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", renormalised(at_least(1e-9)), 4, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", renormalised(one_for_zero), 5, "renormalised_with_eps", "kept from"),
    ("safe_masked_softmax", fills_and_clears(-20.0), 5, "filled_then_cleared", "a large number"),
    ("safe_masked_softmax", fills_and_clears(-1e4), 5, "filled_then_cleared", "a large number"),
    ("safe_masked_softmax", fills_and_clears(-1e9), 4, "filled_then_cleared", "large number"),
    ("safe_masked_softmax", naive_exp, 5, "without_maximum", "exp of the scores as they are"),
    ("safe_masked_softmax", times_any_row, None, "not_a_number", "times 0 is NaN still"),
    ("safe_masked_softmax", clamped_sum, None, "with_eps", "In float16 that number is 0"),
    ("sliding_window_mask", window_by_slices, None, "negative_start", "counts from the end"),
    ("sliding_window_mask", window_of(-1, lambda w: 1 - w), 0, "past_only", "leaves out the token"),
    ("sliding_window_mask", window_of(0, lambda w: w - 1), None, "wrong_sign", "the future's side"),
]
