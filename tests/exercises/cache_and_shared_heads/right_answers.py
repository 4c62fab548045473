"""Right answers to the exercises on caches and shared heads, written in other ways."""

import math
from collections import deque

import torch


def cache_bytes_loop(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """Key by key, value by value."""
    one = 0
    for _ in range(num_layers):
        for _ in range(num_kv_heads):
            one += head_dim * bytes_per_number
            one += head_dim * bytes_per_number
    return one, sum(one for _ in range(tokens))


def cache_bytes_tensor(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """As large as buffers of that size."""
    kept = torch.empty(num_layers, 2, num_kv_heads, tokens, head_dim, device="meta")
    total = kept.numel() * bytes_per_number
    return torch.tensor([total // tokens, total])


def cache_bytes_prod(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = math.prod((2, num_layers, num_kv_heads, head_dim, bytes_per_number))
    return [one, tokens * one]


def cached_attend_loop(query, key, value, past_key, past_value):
    """One new token after the other, each appended before it asks."""
    keys, values, outputs = past_key, past_value, []
    for t in range(query.shape[2]):
        keys = torch.cat([keys, key[:, :, t : t + 1]], 2)
        values = torch.cat([values, value[:, :, t : t + 1]], 2)
        scores = torch.einsum("bhd,bhkd->bhk", query[:, :, t], keys) * query.shape[-1] ** -0.5
        outputs.append(torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), values))
    return torch.stack(outputs, dim=2), keys, values


def cached_attend_positions(query, key, value, past_key, past_value):
    """The mask compares positions; the scores of the past and of the new are joined."""
    past, new = past_key.shape[2], key.shape[2]
    size = math.sqrt(query.shape[3])
    scores = torch.cat([query @ past_key.mT / size, query @ key.mT / size], dim=-1)
    own = torch.arange(past, past + new)[:, None]
    hidden = torch.arange(past + new) > own
    weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    output = weights[..., :past] @ past_value + weights[..., past:] @ value
    return output, torch.cat([past_key, key], 2), torch.cat([past_value, value], 2)


def cached_attend_added(query, key, value, past_key, past_value):
    """Minus infinity is added, and exponentials are taken by hand."""
    keys = torch.concat([past_key, key], dim=-2)
    values = torch.concat([past_value, value], dim=-2)
    n, s = query.size(2), keys.size(2)
    bias = torch.full((n, s), -torch.inf).triu(s - n + 1)
    scores = (query / query.size(-1) ** 0.5) @ keys.transpose(2, 3) + bias
    exp = (scores - scores.amax(-1, keepdim=True)).exp()
    return exp / exp.sum(-1, keepdim=True) @ values, keys, values


def grouped_attend_loop(query, key, value):
    heads = []
    for i in range(query.shape[1]):
        j = i * key.shape[1] // query.shape[1]
        scores = query[:, i] @ key[:, j].mT / query.shape[-1] ** 0.5
        heads.append(scores.softmax(-1) @ value[:, j])
    return torch.stack(heads, dim=1)


def grouped_attend_unflatten(query, key, value):
    """No key is repeated: the groups are a dimension that broadcasts."""
    groups = query.unflatten(1, (key.shape[1], -1))  # (batch, kv, group, query_len, head_dim)
    scores = groups @ key[:, :, None].mT / math.sqrt(query.shape[-1])
    return (scores.softmax(dim=-1) @ value[:, :, None]).flatten(1, 2)


def grouped_attend_folded(query, key, value):
    """The queries of a group stand one below the other, as more queries of one head."""
    batch, heads, length, size = query.shape
    folded = query.reshape(batch, key.shape[1], -1, size)
    weights = (folded @ key.mT * size**-0.5).softmax(-1)
    return (weights @ value).reshape(batch, heads, length, size)


def grouped_attend_expand(query, key, value):
    share = query.shape[1] // key.shape[1]
    b, n, s, d = key.shape
    k = key[:, :, None].expand(b, n, share, s, d).reshape(b, n * share, s, d)
    v = value[:, :, None].expand(b, n, share, s, d).reshape(b, n * share, s, d)
    return torch.softmax(torch.einsum("bhqd,bhkd->bhqk", query, k) / d**0.5, -1) @ v


def mean_key_heads_loop(weight, num_heads, num_groups):
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    heads = weight.split(head_dim)
    groups = [sum(heads[g * share : (g + 1) * share]) / share for g in range(num_groups)]
    return torch.cat(groups)


def mean_key_heads_view(weight, num_heads, num_groups):
    head_dim = weight.shape[0] // num_heads
    grouped = weight.reshape(num_groups, num_heads // num_groups, head_dim, weight.shape[1])
    return grouped.sum(1).div(num_heads // num_groups).reshape(-1, weight.shape[1])


def mean_key_heads_matrix(weight, num_heads, num_groups):
    """A matrix of means times the heads."""
    share = num_heads // num_groups
    mean = torch.eye(num_groups, dtype=weight.dtype).repeat_interleave(share, dim=1) / share
    return torch.einsum("gh,hrd->grd", mean, weight.view(num_heads, -1, weight.shape[1])).flatten(
        0, 1
    )


def absorbed_attend_einsum(query, latent, key_up, value_up):
    absorbed = torch.einsum("hqd,hdl->hql", query, key_up)
    scores = torch.einsum("hql,kl->hqk", absorbed, latent) * query.shape[-1] ** -0.5
    mixed = torch.einsum("hqk,kl->hql", scores.softmax(-1), latent)
    return absorbed, mixed, torch.einsum("hql,hdl->hqd", mixed, value_up)


def absorbed_attend_loop(query, latent, key_up, value_up):
    parts = []
    for q, w_k, w_v in zip(query, key_up, value_up, strict=True):
        asked = (w_k.T @ q.T).T
        mixed = torch.softmax(asked @ latent.mT / math.sqrt(q.shape[-1]), dim=-1) @ latent
        parts.append((asked, mixed, mixed @ w_v.T))
    return tuple(torch.stack(part) for part in zip(*parts, strict=True))


def same_with_cache_two_runs(layer, x):
    """Token by token, then anew in parts of two and three."""
    expected = layer(x)
    for sizes in ([1] * len(x), [2, 3, *[1] * (len(x) - 5)]):
        cache = layer.new_cache()
        got = torch.cat([layer(part, cache) for part in x.split(sizes)])
        if (got - expected).abs().max() > 1e-3:
            return False
    return True


def same_with_cache_random_cuts(layer, x):
    cuts = [[*range(1, len(x))], [2, 4], [3], [1, 5]]
    runs = []
    for cut in cuts:
        cache, got = layer.new_cache(), []
        for part in torch.tensor_split(x, cut):
            got.append(layer(part, cache))
        runs.append(torch.cat(got))
    return all(torch.allclose(run, layer(x), atol=1e-3, rtol=1e-3) for run in runs)


def same_with_cache_rows(layer, x):
    """Row by row, and with what came before as a prompt of any length."""
    right, fine = layer(x), []
    for prompt in range(1, len(x)):
        cache = layer.new_cache()
        out = [layer(x[:prompt], cache), layer(x[prompt:], cache)]
        fine.append(torch.cat(out).sub(right).abs().lt(1e-4).all().item())
    return False not in fine


def rolling_step_room_first(query, key, value, past_key, past_value, window):
    """Makes room, counted from the front, and appends then."""
    leave = max(past_key.shape[2] + 1 - window, 0)
    keys = torch.cat([past_key[:, :, leave:], key], dim=-2)
    values = torch.cat([past_value[:, :, leave:], value], dim=-2)
    return torch.softmax(query @ keys.mT * query.size(-1) ** -0.5, -1) @ values, keys, values


def rolling_step_one_by_one(query, key, value, past_key, past_value, window):
    """The oldest leaves, again and again, until the rest fits."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    while keys.shape[2] > window:
        keys, values = keys[:, :, 1:], values[:, :, 1:]
    exp = (torch.einsum("bhqd,bhkd->bhqk", query, keys) / math.sqrt(query.shape[3])).exp()
    return torch.einsum("bhqk,bhkd->bhqd", exp / exp.sum(-1, keepdim=True), values), keys, values


def rolling_step_deque(query, key, value, past_key, past_value, window):
    """A queue of bounded length drops its oldest entries itself."""
    keys = deque([*past_key.unbind(2), key[:, :, 0]], maxlen=window)
    values = deque([*past_value.unbind(2), value[:, :, 0]], maxlen=window)
    keys, values = torch.stack(list(keys), dim=2), torch.stack(list(values), dim=2)
    weights = ((query * keys).sum(-1) / query.shape[-1] ** 0.5).softmax(-1)  # (b, h, kept)
    return (weights[..., None] * values).sum(2, keepdim=True), keys, values


def rolling_step_masked(query, key, value, past_key, past_value, window):
    """Attends to all behind a mask, and cuts afterwards."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    place = torch.arange(keys.shape[2])
    stays = place >= keys.shape[2] - window  # True = may attend
    scores = query @ keys.transpose(2, 3) / math.sqrt(query.shape[-1])
    output = scores.masked_fill(~stays, -torch.inf).softmax(-1) @ values
    return output, keys[:, :, stays], values[:, :, stays]


def rolling_step_turned(query, key, value, past_key, past_value, window):
    """Turns a copy by one row and writes the new token into the last one."""
    kept = []
    for past, new in ((past_key, key), (past_value, value)):
        past = past[:, :, -window:]
        if past.shape[2] == window:
            past = past.roll(-1, dims=2)
            past[:, :, -1:] = new
        else:
            past = torch.cat((past, new), 2)
        kept.append(past)
    keys, values = kept
    return (query @ keys.mT / math.sqrt(query.shape[-1])).softmax(-1) @ values, keys, values


def rolling_step_ring(query, key, value, past_key, past_value, window):
    """Writes by position modulo the window, asks out of order, and returns in order."""
    rows = [*past_key.unbind(2), key[:, :, 0]], [*past_value.unbind(2), value[:, :, 0]]
    rings: list[dict] = [{}, {}]
    for ring, tokens in zip(rings, rows, strict=True):
        for position, token in enumerate(tokens):
            ring[position % window] = (position, token)
    keys, values = (torch.stack([ring[s][1] for s in sorted(ring)], 2) for ring in rings)
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    ordered = [sorted(ring.values(), key=lambda entry: entry[0]) for ring in rings]
    kept = [torch.stack([token for _, token in entries], dim=2) for entries in ordered]
    return weights @ values, *kept


def rolling_step_heads(query, key, value, past_key, past_value, window):
    """Sentence by sentence and head by head."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    first = keys.shape[2] - min(window, keys.shape[2])
    keys = keys.narrow(2, first, keys.shape[2] - first)
    values = values.narrow(2, first, values.shape[2] - first)
    output = torch.zeros_like(query)
    for b in range(query.shape[0]):
        for h in range(query.shape[1]):
            scores = keys[b, h] @ query[b, h, 0] / math.sqrt(query.shape[-1])
            output[b, h, 0] = torch.softmax(scores, dim=0) @ values[b, h]
    return output, keys.contiguous(), values.clone()


def rolling_step_merged(query, key, value, past_key, past_value, window):
    """The past and the new token apart, put together by their sums of exponentials."""
    past_len = min(past_key.shape[2], window - 1)
    start = past_key.shape[2] - past_len
    old_key, old_value = past_key[:, :, start:], past_value[:, :, start:]
    size = query.shape[-1] ** 0.5
    new = (query * key).sum(-1, keepdim=True) / size
    old = query @ old_key.mT / size
    top = torch.cat((old, new), -1).amax(-1, keepdim=True)
    total = (old - top).exp().sum(-1, keepdim=True) + (new - top).exp()
    output = ((old - top).exp() @ old_value + (new - top).exp() * value) / total
    return output, torch.cat((old_key, key), 2), torch.cat((old_value, value), 2)


def rolling_step_batched(query, key, value, past_key, past_value, window):
    """Keys and values as one tensor, batch and heads as one dimension; a list is returned."""
    past, new = torch.stack((past_key, past_value)), torch.stack((key, value))
    both = torch.cat((past, new), dim=3)
    both = both[..., max(0, both.shape[3] - window) :, :]
    keys, values = both.flatten(1, 2)
    scores = torch.bmm(query.flatten(0, 1) / query.shape[-1] ** 0.5, keys.transpose(1, 2))
    output = torch.bmm(scores.softmax(2), values).view_as(query)
    return [output, *both]


def rolling_step_written(query, key, value, past_key, past_value, window):
    """Into new buffers of the right size."""
    batch, heads, past_len, size = past_key.shape
    stay = min(past_len + 1, window)
    keys, values = query.new_empty(2, batch, heads, stay, size)
    keys[:, :, -1:], values[:, :, -1:] = key, value
    if stay > 1:
        keys[:, :, :-1] = past_key[:, :, -(stay - 1) :]
        values[:, :, :-1] = past_value[:, :, -(stay - 1) :]
    weights = torch.nn.functional.softmax(query.matmul(keys.mT).div(math.sqrt(size)), dim=3)
    return weights.matmul(values), keys, values
