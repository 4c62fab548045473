"""Answers to the exercises on caches and shared heads, of the kind that students hand in."""

import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import causal_mask, scaled_dot_product_attention


def for_the_text_alone(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    return num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * tokens


def of_query_heads(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = 2 * num_layers * num_heads * head_dim * bytes_per_number
    return one, one * tokens


def in_kib(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
    return [one / 1024, one * tokens / 1024]


def of_weights(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens**2]


def attends(mask, library=False):
    """Cached attention with another mask, or by the course's own function."""

    def cached_attend(query, key, value, past_key, past_value):
        keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
        allowed = mask(query.shape[2], keys.shape[2])
        if library:
            output, _ = scaled_dot_product_attention(query, keys, values, mask=allowed)
            return output, keys, values
        scores = query @ keys.mT / query.shape[-1] ** 0.5
        weights = scores.masked_fill(~allowed, -math.inf).softmax(-1)
        return weights @ values, keys, values

    return cached_attend


def fills_the_cache(query, key, value, past_key, past_value):
    """Writes into the cache that it was given."""
    past_key.resize_(*past_key.shape[:2], past_key.shape[2] + key.shape[2], key.shape[3])
    past_key[:, :, -key.shape[2] :] = key
    return attends(causal_mask)(query, key, value, past_key[:, :, : -key.shape[2]], past_value)


def by_torch(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    return F.scaled_dot_product_attention(query, keys, values, is_causal=True), keys, values


def output_alone(query, key, value, past_key, past_value):
    return attends(causal_mask)(query, key, value, past_key, past_value)[0]


def along_the_heads(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), 1), torch.cat((past_value, value), 1)
    return query @ keys.mT @ values, keys, values


def shares(give):
    """Grouped attention; ``give`` hands key heads to query heads."""

    def grouped_attend(query, key, value):
        k, v = (give(t, query.shape[1]) for t in (key, value))
        return (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ v

    return grouped_attend


def by_torch_grouped(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, enable_gqa=True)


def one_for_all(query, key, value):
    return shares(lambda t, n: t[:, :1])(query, key, value)


def averages(cut):
    """``cut`` gives (groups, heads of a group, head_dim, d_model)."""

    def mean_key_heads(weight, num_heads, num_groups):
        return cut(weight, num_heads, num_groups).mean(1).flatten(0, 1)

    return mean_key_heads


def not_joined(weight, num_heads, num_groups):
    return weight.unflatten(0, (num_groups, num_heads // num_groups, -1)).mean(1)


def in_place(weight, num_heads, num_groups):
    heads = weight.view(num_groups, num_heads // num_groups, -1, weight.shape[1])
    heads[:, 0] = heads.mean(dim=1)
    return heads[:, 0].flatten(0, 1)


def plain_form(query, latent, key_up, value_up):
    keys, values = latent @ key_up.mT, latent @ value_up.mT
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return keys, values, weights @ values


def scaled_by_the_latent(query, latent, key_up, value_up):
    asks = query @ key_up
    mixed = (asks @ latent.T / latent.shape[-1] ** 0.5).softmax(-1) @ latent
    return asks, mixed, mixed @ value_up.mT


def no_matrix_at_the_end(query, latent, key_up, value_up):
    asks = query @ key_up
    mixed = (asks @ latent.T / query.shape[-1] ** 0.5).softmax(-1) @ latent
    return asks, mixed, mixed


def token_by_token(layer, x):
    cache = layer.new_cache()
    return torch.allclose(torch.cat([layer(t[None], cache) for t in x]), layer(x), atol=1e-4)


def bitwise(layer, x):
    cache = layer.new_cache()
    return torch.equal(torch.cat([layer(t[None], cache) for t in x]), layer(x))


def in_two_parts(layer, x):
    cache = layer.new_cache()
    out = torch.cat((layer(x[:4], cache), layer(x[4:], cache)))
    return torch.allclose(out, layer(x), atol=1e-4)


def as_a_tensor(layer, x):
    result = checks.same_with_cache.exercise.reference(layer, x)
    return torch.tensor(result)


def rolls(keep, see=None, dim=-1, scale=lambda query, keys: query.shape[-1] ** 0.5):
    """One step; ``keep`` and ``see`` give what stays, and what the query sees."""

    def rolling_step(query, key, value, past_key, past_value, window):
        keys, values = keep(past_key, key, window), keep(past_value, value, window)
        k, v = keys, values
        if see:
            k, v = see(past_key, key, window), see(past_value, value, window)
        return (query @ k.mT / scale(query, k)).softmax(dim) @ v, keys, values

    return rolling_step


def last(past, new, window):
    return torch.cat((past, new), 2)[:, :, -window:]


def first(past, new, window):
    return torch.cat((past, new), 2)[:, :, :window]


def all_of_it(past, new, window):
    return torch.cat((past, new), 2)


def until_too_long(past, new, window):
    joined = torch.cat((past, new), 2)
    while joined.shape[2] > window + 1:
        joined = joined[:, :, 1:]
    return joined


def one_out_when_over(past, new, window):
    """Looks before the new one comes in, so it looks too late; and drops one only."""
    if past.shape[2] > window:
        past = past[:, :, 1:]
    return torch.cat((past, new), 2)


def pop_one(past, new, window):
    joined = torch.cat((past, new), 2)
    return joined[:, :, 1:] if joined.shape[2] > window else joined


def always_out(past, new, window):
    return torch.cat((past[:, :, 1:], new), 2)


def over_row_zero(past, new, window):
    if past.shape[2] < window:
        return torch.cat((past, new), 2)
    past = past[:, :, -window:].clone()
    past[:, :, :1] = new
    return past


def turned_in_place(past, new, window):
    if past.shape[2] < window:
        return torch.cat((past, new), 2)
    past.copy_(past.roll(-1, 2))
    past[:, :, -1:] = new
    return past[:, :, -window:]


def whole_buffer(past, new, window):
    kept = last(past, new, window)
    buffer = torch.zeros(*kept.shape[:2], window, kept.shape[3])
    buffer[:, :, : kept.shape[2]] = kept
    return buffer


def ring_by_position(past, new, window):
    """A right ring, were there somebody who remembered where it begins."""
    joined = torch.cat((past, new), 2)
    kept = joined[:, :, -window:]
    return kept.roll(joined.shape[2] % window, 2) if joined.shape[2] > window else kept


def the_end_of_the_past(past, new, window):
    return torch.cat((past[:, :, 1 - window :], new), 2)


def rolls_by_torch(query, key, value, past_key, past_value, window):
    keys, values = last(past_key, key, window), last(past_value, value, window)
    return F.scaled_dot_product_attention(query, keys, values), keys, values


def rolls_by_the_library(query, key, value, past_key, past_value, window):
    keys, values = last(past_key, key, window), last(past_value, value, window)
    return scaled_dot_product_attention(query, keys, values)[0], keys, values


def rolls_in_double(query, key, value, past_key, past_value, window):
    tensors = (t.double() for t in (query, key, value, past_key, past_value))
    return rolls(last)(*tensors, window)


def only_the_cache(query, key, value, past_key, past_value, window):
    return last(past_key, key, window), last(past_value, value, window)


ANSWERS = [
    ("cache_bytes", for_the_text_alone, 0, None, "a list of numbers"),
    ("cache_bytes", of_query_heads, None, "query_heads", "You count queries."),
    ("cache_bytes", in_kib, None, None, ""),
    ("cache_bytes", of_weights, None, "square_of_the_tokens", "the square"),
    ("cached_attend", attends(lambda q, k: causal_mask(q, q).new_ones(q, k).tril()), None,
     "aligned_to_the_start", "shift the triangle"),
    ("cached_attend", attends(lambda q, k: ~causal_mask(q, k)), None, None, ""),
    ("cached_attend", attends(causal_mask), 6, None, ""),
    ("cached_attend", attends(causal_mask, library=True), 0, "forbidden", "course_lib's own"),
    ("cached_attend", by_torch, 0, "forbidden", "Write it yourself"),
    ("cached_attend", output_alone, 0, None, "3 things"),
    ("cached_attend", along_the_heads, None, None, ""),
    ("grouped_attend", shares(lambda t, n: t.repeat(1, n // t.shape[1], 1, 1)), None, "in_turns",
     "repeat_interleave"),
    ("grouped_attend", shares(lambda t, n: t.tile(1, n // t.shape[1], 1, 1)), None, "in_turns",
     "tile"),
    ("grouped_attend", by_torch_grouped, 0, "forbidden", "Write it yourself"),
    ("grouped_attend", one_for_all, None, "first_for_all", "All your query heads use key head 0."),
    ("grouped_attend", shares(lambda t, n: t), None, None, ""),
    ("mean_key_heads", averages(lambda w, n, g: w.unflatten(0, (g, n // g, -1))), 5, None, ""),
    ("mean_key_heads", averages(lambda w, n, g: w.unflatten(0, (n // g, g, -1))), None,
     "groups_for_heads", "You make groups of num_groups heads."),
    ("mean_key_heads",
     averages(lambda w, n, g: w.unflatten(0, (n // g, g, -1)).transpose(0, 1)), None, "in_turns",
     "Neighbours belong together"),
    ("mean_key_heads", not_joined, 0, None, ""),
    ("mean_key_heads", in_place, 4, "changes_input", "in place"),
    ("absorbed_attend", plain_form, None, None, ""),
    ("absorbed_attend", scaled_by_the_latent, None, "scaled_by_latent", "root of latent_dim"),
    ("absorbed_attend", no_matrix_at_the_end, None, None, ""),
    ("same_with_cache", token_by_token, None, "one_way_is_enough", "not new"),
    ("same_with_cache", bitwise, None, "rejects_everything", "what tolerance"),
    ("same_with_cache", in_two_parts, None, "once", "a second time"),
    ("same_with_cache", as_a_tensor, 7, None, ""),
    ("rolling_step", rolls(first), None, "new_one_dropped", "at the front"),
    ("rolling_step", rolls(all_of_it), None, "never_drops", "Nothing ever leaves your cache."),
    ("rolling_step", rolls(all_of_it, see=last), None, "kept_grows", "but you return all"),
    ("rolling_step", rolls(last, see=all_of_it), None, "sees_what_leaves", "Drop them first"),
    ("rolling_step", rolls(last, see=lambda past, new, window: past[:, :, -window:]), None,
     "itself_not_seen", "Your query does not see its own token."),
    ("rolling_step", rolls(until_too_long), None, "one_too_many", "one token too wide"),
    ("rolling_step", rolls(one_out_when_over), None, None, ""),
    ("rolling_step", rolls(pop_one), 5, "one_leaves", "After a long prompt"),
    ("rolling_step", rolls(always_out), None, None, ""),
    ("rolling_step", rolls(over_row_zero), None, "over_the_first", "Keep the order"),
    ("rolling_step", rolls(ring_by_position), None, None, ""),
    ("rolling_step", rolls(turned_in_place), 5, "changes_input", "in place"),
    ("rolling_step", rolls(whole_buffer), None, "filled_with_zeros", "as many tokens as there"),
    ("rolling_step", rolls(the_end_of_the_past), 5, "minus_zero", "window of 1"),
    ("rolling_step", rolls(lambda past, new, window: torch.cat((past, new), 2)[-window:]), None,
     "batch_cut", "dimension 2"),
    ("rolling_step", rolls(last, scale=lambda query, keys: 1), None, "not_scaled", "head_dim"),
    ("rolling_step", rolls(last, dim=1), None, "softmax_elsewhere", "over the keys"),
    ("rolling_step", rolls_by_torch, 0, "forbidden", "Write it yourself"),
    ("rolling_step", rolls_by_the_library, 0, "forbidden", "course_lib's own"),
    ("rolling_step", rolls_in_double, 5, "dtype", "float64"),
    ("rolling_step", only_the_cache, 0, None, "3 things"),
]  # fmt: skip
