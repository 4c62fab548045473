"""Right answers to the exercises on memory that does not grow, written in other ways."""

from itertools import accumulate, product

import torch


def earliest_seen_sets(windows, position):
    """All positions that are known, layer by layer."""
    known, after = {position}, []
    for window in windows:
        width = window or position + 1
        known = {j for i in known for j in range(max(i - width + 1, 0), i + 1)}
        after.append(min(known))
    return after


def earliest_seen_sums(windows, position):
    back = accumulate(w - 1 if w > 0 else position for w in windows)
    return [max(position - b, 0) for b in back]


def earliest_seen_table(windows, position):
    """Boolean masks, multiplied."""
    length = position + 1
    gap = torch.arange(length)[:, None] - torch.arange(length)
    seen, after = torch.eye(length), []
    for window in windows:
        mask = ((gap >= 0) & (gap < (window or length))).float()
        seen = mask @ seen
        after.append(int(seen[position].nonzero()[0]))
    return torch.tensor(after)


def sink_attend_softplus(query, key, value, sink):
    """A softmax, times the share that the sink leaves: a sigmoid of logsumexp minus sink."""
    scores = torch.einsum("hqd,hkd->hqk", query, key) / query.shape[-1] ** 0.5
    share = torch.sigmoid(scores.logsumexp(dim=-1) - sink[:, None])
    weights = scores.softmax(dim=-1) * share[..., None]
    return weights @ value, weights


def sink_attend_maximum(query, key, value, sink):
    scores = (query * query.size(-1) ** -0.5) @ key.mT
    top = torch.maximum(scores.amax(-1, keepdim=True), sink.view(-1, 1, 1))
    e = torch.exp(scores - top)
    weights = e / (e.sum(-1, keepdim=True) + torch.exp(sink.view(-1, 1, 1) - top))
    return torch.bmm(weights, value), weights


def sink_attend_key(query, key, value, sink):
    """A real extra key: one feature more carries its score."""
    heads, n, d = query.shape
    q = torch.cat([query / d**0.5, torch.ones_like(query[..., :1])], dim=-1)
    k = torch.cat([key, torch.zeros_like(key[..., :1])], dim=-1)
    extra = torch.zeros_like(k[:, :1])
    extra[..., -1] = sink[:, None]
    v = torch.cat([torch.zeros_like(value[:, :1]), value], dim=1)
    weights = (q @ torch.cat([extra, k], dim=1).mT).softmax(-1)
    return weights @ v, weights[..., 1:]


def sink_attend_loop(query, key, value, sink):
    outputs, tables = [], []
    for h in range(len(sink)):
        scores = query[h] @ key[h].T / query.shape[2] ** 0.5
        scores = torch.hstack([scores, sink[h].expand(len(scores), 1)])
        w = torch.softmax(scores, 1)[:, :-1]
        tables.append(w)
        outputs.append(w @ value[h])
    return torch.stack(outputs), torch.stack(tables)


def linear_step_einsum(memory, total, query, key, value):
    new_memory = memory + torch.einsum("hi,hj->hij", key, value)
    new_total = total + key
    weights = torch.einsum("hi,hi->h", query, new_total)
    return torch.einsum("hi,hij->hj", query, new_memory) / weights[:, None], new_memory, new_total


def linear_step_joined(memory, total, query, key, value):
    """The total is one more column of the memory, of values that are 1."""
    both = torch.cat([memory, total[:, :, None]], dim=-1)
    more = torch.cat([value, torch.ones_like(value[:, :1])], dim=-1)
    both = torch.baddbmm(both, key[:, :, None], more[:, None])
    out = torch.bmm(query[:, None], both)[:, 0]
    return out[:, :-1] / out[:, -1:], both[..., :-1].clone(), both[..., -1].clone()


def linear_step_loop(memory, total, query, key, value):
    memory, total, outputs = memory.clone(), total.clone(), []
    for h in range(len(key)):
        memory[h] += torch.outer(key[h], value[h])
        total[h] += key[h]
        outputs.append(query[h] @ memory[h] / query[h].dot(total[h]))
    return torch.stack(outputs), memory, total


def delta_step_einsum(memory, query, key, value, beta, decay):
    faded = torch.einsum("h,hij->hij", decay, memory)
    missing = value - torch.einsum("hi,hij->hj", key, faded)
    new = faded + torch.einsum("h,hi,hj->hij", beta, key, missing)
    return torch.einsum("hi,hij->hj", query, new), new


def delta_step_projected(memory, query, key, value, beta, decay):
    """As the papers write it: (I - beta k k^T) S, and the value added."""
    b, a = beta[:, None, None], decay[:, None, None]
    eye = torch.eye(key.shape[1], dtype=key.dtype)
    column = key.unsqueeze(-1)
    new = a * ((eye - b * column @ column.mT) @ memory) + b * column @ value.unsqueeze(1)
    return (query.unsqueeze(1) @ new).squeeze(1), new


def delta_step_loop(memory, query, key, value, beta, decay):
    tables, outputs = [], []
    for m, q, k, v, b, a in zip(memory, query, key, value, beta, decay, strict=True):
        m = a * m
        m = m + torch.outer(k, b * (v - k @ m))
        tables.append(m)
        outputs.append(q @ m)
    return torch.stack(outputs), torch.stack(tables)


def delta_step_mixed(memory, query, key, value, beta, decay):
    """What was said and the value are mixed first, and the old is taken away."""
    memory = torch.mul(memory, decay.view(-1, 1, 1))
    said = torch.matmul(key.unsqueeze(1), memory)  # (heads, 1, value_dim)
    wanted = torch.lerp(said, value.unsqueeze(1), beta.view(-1, 1, 1))
    memory = memory + key.unsqueeze(2) * (wanted - said)
    return torch.matmul(query.unsqueeze(1), memory).squeeze(1), memory


def sum_in_chunks_split(query, key, value, chunk_len):
    memory = torch.zeros(key.size(1), value.size(1), dtype=value.dtype)
    outputs = []
    for q, k, v in zip(*(t.split(chunk_len) for t in (query, key, value)), strict=True):
        scores = torch.tril(q @ k.mT)
        outputs += [torch.addmm(scores @ v, q, memory)]
        memory = torch.addmm(memory, k.mT, v)
    return torch.vstack(outputs), memory


def sum_in_chunks_written_first(query, key, value, chunk_len):
    """The chunk is written before it is read, and its future is taken away again."""
    memory, outputs = torch.zeros_like(key.T @ value), []
    for i in range(0, query.shape[0], chunk_len):
        q, k, v = query[i : i + chunk_len], key[i : i + chunk_len], value[i : i + chunk_len]
        memory = memory + k.T @ v
        outputs.append(q @ memory - torch.triu(q @ k.T, diagonal=1) @ v)
    return torch.cat(outputs), memory


def hybrid_bytes_if(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    found = []
    for layer in layers:
        if layer == "state":
            found.append(4 * num_heads * head_dim**2)
            continue
        kept = tokens if layer == "global" or tokens < window else window
        found.append(kept * num_kv_heads * head_dim * 2 * bytes_per_number)
    return tuple(found)


def hybrid_bytes_buffers(
    layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens
):
    """As large as buffers of these shapes."""
    total = []
    for layer in layers:
        rows = min(window, tokens) if layer == "window" else tokens
        shape = (2, num_kv_heads, rows, head_dim)
        size = bytes_per_number
        if layer == "state":
            shape, size = (num_heads, head_dim, head_dim), torch.float32.itemsize
        total.append(torch.empty(shape, device="meta").numel() * size)
    return torch.tensor(total)


def choose_layers_by_limits(num_layers, window, key_dim, distance, pairs):
    carried = num_layers * (window - 1) if pairs == 1 else window - 1
    special = [] if distance <= carried else ["state" if pairs <= key_dim else "global"]
    return special + ["window"] * (num_layers - len(special))


def choose_layers_cheapest(num_layers, window, key_dim, distance, pairs):
    """All patterns of at most one odd layer, by their rows, and the first that works."""
    rows = {"window": window, "state": key_dim, "global": distance + 1}

    def works(pattern):
        n = pattern.count("window")
        if "global" in pattern or ("state" in pattern and pairs <= key_dim):
            return True
        return n > 0 and distance <= (n * (window - 1) if pairs == 1 else window - 1)

    odd = [("window",) * (num_layers - 1) + last for last in product(rows)]
    odd.sort(key=lambda pattern: sum(rows[name] for name in pattern))
    return next(pattern for pattern in odd if works(pattern))


def choose_layers_first(num_layers, window, key_dim, distance, pairs):
    pattern = ["window" for _ in range(num_layers)]
    seen = distance + 1 <= window
    relayed = pairs < 2 and distance // (window - 1) + (distance % (window - 1) > 0) <= num_layers
    if not seen and not relayed:
        pattern[0] = "global" if pairs > key_dim else "state"
    return pattern
