"""Answers to attend_in_tiles (lesson 12, exercise 3), right and wrong, as students write them."""

import math

import torch


# wrong: tiles of the future are computed and hidden
# named: skips_nothing
def all_tiles(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            pass
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: is_causal is never asked
# named: never_causal
def causal_forgotten(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            pass
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if False:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: tiles are skipped, and never masked
# named: diagonal_seen_whole
def diagonal_without_mask(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if False:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the last, shorter block of keys is left out
# not named yet: whole_blocks_only
def drops_the_rest(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key) // block_len * block_len, block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: divides by head_dim
# named: divided_by_head_dim
def full_scale(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / query.shape[-1]
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: exp(new - m)
# named: grown
def grows(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(new - m).nan_to_num(posinf=0.0)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the weighted values of the last tile only
# named: forgets
def last_tile_only(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the mask is always there
# named: always_causal
def mask_always(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if True:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: weighted values come back
# named: not_divided
def never_divided(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc)
    return torch.cat(result)


# wrong: no scale
# named: not_scaled
def no_scale(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the kept sums are never shrunk
# named: not_shrunk
def no_shrinking(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = 1.0
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the tiles' own softmaxes, added
# named: mean_of_tiles
def outputs_added(query, key, value, block_len, is_causal):
    n = len(query)
    out = torch.zeros(n, value.shape[1])
    for i in range(0, n, block_len):
        rows = slice(i, min(i + block_len, n))
        for j in range(0, i + 1 if is_causal else n, block_len):
            cols = slice(j, min(j + block_len, n))
            s = query[rows] @ key[cols].T / math.sqrt(query.shape[1])
            if is_causal and i == j:
                s = s + torch.full_like(s, -math.inf).triu(1)
            out[rows] += s.softmax(dim=-1) @ value[cols]
    return out


# wrong: positions count from the block
# named: places_inside_blocks
def places_in_block(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(len(q)).unsqueeze(1)
                kp = torch.arange(len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# right
def right_bias(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = (s - new).exp().nan_to_num(0.0)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# right
def right_numbers_not_tensors(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j >= i + block_len:
                continue
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T * query.shape[1] ** -0.5
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: all tiles of a row are held before they are joined
# named: more_than_a_tile
def tiles_of_a_row_kept(query, key, value, block_len, is_causal):
    """Two passes over the keys: the maxima first, then the sums."""
    out, n = value.new_empty(len(query), value.shape[1]), len(query)
    scaled = query / math.sqrt(query.shape[1])
    for i in range(0, n, block_len):
        rows = range(i, min(i + block_len, n))
        end = rows[-1] + 1 if is_causal else n
        tiles = []

        def tile(j, rows=rows, end=end):
            s = scaled[rows[0] : rows[-1] + 1] @ key[j : min(j + block_len, end)].T
            if is_causal:
                late = torch.arange(j, j + s.shape[1]) > torch.tensor(rows)[:, None]
                s[late] = -math.inf
            return s

        starts = range(0, end, block_len)
        top = torch.stack([tile(j).amax(1) for j in starts]).amax(0)[:, None]
        tiles = [((tile(j) - top).exp(), value[j : min(j + block_len, end)]) for j in starts]
        total = sum(p.sum(1, keepdim=True) for p, _ in tiles)
        out[rows[0] : rows[-1] + 1] = sum(p @ v for p, v in tiles) / total
    return out


# wrong: a token does not see itself
# not named yet: hides_itself
def strictly_before(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp >= qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(m - new)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)


# wrong: the plain form
# named: holds_a_table
def whole_table(query, key, value, block_len, is_causal):
    scores = query @ key.mT / math.sqrt(query.size(-1))
    if is_causal:
        n = len(query)
        scores[torch.arange(n)[None] > torch.arange(n)[:, None]] = -math.inf
    return torch.softmax(scores, -1) @ value


# wrong: one softmax for each block of queries, over all keys that it may see
# named: more_than_a_tile
def no_merge(query, key, value, block_len, is_causal):
    out = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len] / math.sqrt(query.shape[1])
        k, v = (key[: i + block_len], value[: i + block_len]) if is_causal else (key, value)
        s = q @ k.T
        if is_causal:
            late = torch.arange(len(k)) > torch.arange(i, i + len(q))[:, None]
            s = s.masked_fill(late, -math.inf)
        out.append(torch.softmax(s, dim=-1) @ v)
    return torch.cat(out)


# wrong: all blocks of queries meet a block of keys at once
# named: more_than_a_tile
def columns_of_tiles(query, key, value, block_len, is_causal):
    n = len(query)
    m, t = query.new_full((n, 1), -math.inf), query.new_zeros(n, 1)
    acc = query.new_zeros(n, value.shape[1])
    for j in range(0, n, block_len):
        start = j if is_causal else 0
        s = query[start:] @ key[j : j + block_len].T / math.sqrt(query.shape[1])
        if is_causal:
            late = torch.arange(j, j + s.shape[1]) > torch.arange(start, n)[:, None]
            s = s.masked_fill(late, -math.inf)
        new = torch.maximum(m[start:], s.amax(dim=1, keepdim=True))
        f, p = torch.exp(m[start:] - new), torch.exp(s - new)
        t[start:] = t[start:] * f + p.sum(dim=1, keepdim=True)
        acc[start:] = acc[start:] * f + p @ value[j : j + block_len]
        m[start:] = new
    return acc / t


# wrong: the triangle of every tile, and no tile is skipped
# named: places_inside_blocks
def tril_in_every_tile(query, key, value, block_len, is_causal):
    out = []
    for q in query.split(block_len):
        m, t = torch.full((len(q), 1), -math.inf), torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[1])
        for k, v in zip(key.split(block_len), value.split(block_len), strict=True):
            s = q @ k.T / math.sqrt(query.shape[1])
            if is_causal:
                s = s.masked_fill(~torch.ones_like(s).bool().tril(), -math.inf)
            new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            f, p = torch.exp(m - new), torch.exp(s - new)
            t, acc, m = t * f + p.sum(dim=1, keepdim=True), acc * f + p @ v, new
        out.append(acc / t)
    return torch.cat(out)


# wrong: exponentials of scores as they are
# named: overflows
def overflows_too(query, key, value, block_len, is_causal):
    n = len(query)
    out = torch.empty(n, value.shape[1], dtype=value.dtype)
    for i in range(0, n, block_len):
        q = query[i : i + block_len]
        t = w = 0
        for j in range(0, n, block_len):
            if is_causal and j > i:
                break
            s = q @ key[j : j + block_len].T / query.shape[-1] ** 0.5
            e = s.exp()
            if is_causal and i == j:
                e = e.tril()
            t = t + e.sum(-1, keepdim=True)
            w = w + e @ value[j : j + block_len]
        out[i : i + block_len] = w / t
    return out


# wrong: the last, shorter block is dropped
# named: rows_left_out
def rows_left_out_too(query, key, value, block_len, is_causal):
    n, outs = len(query), []
    B = min(block_len, n)
    for i in range(0, n - B + 1, B):
        q = query[i : i + B] / query.shape[-1] ** 0.5
        m = q.new_full((len(q), 1), -math.inf)
        t = torch.zeros_like(m)
        w = q.new_zeros(len(q), value.shape[1])
        for j in range(0, (i + 1 if is_causal else n - B + 1), B):
            s = q @ key[j : j + B].T
            if is_causal and i == j:
                s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
            k = torch.maximum(m, s.amax(-1, keepdim=True))
            e, f = (s - k).exp(), (m - k).exp()
            m, t, w = k, t * f + e.sum(-1, keepdim=True), w * f + e @ value[j : j + B]
        outs.append(w / t)
    return torch.cat(outs)


# wrong: all tiles of a row are held before they are summed
# named: more_than_a_tile
def more_than_a_tile_too(query, key, value, block_len, is_causal):
    outs = []
    for a, q in enumerate(query.split(block_len)):
        tiles, vals = [], []
        for b, (k, v) in enumerate(zip(key.split(block_len), value.split(block_len))):
            if is_causal and b > a:
                break
            s = q @ k.T / query.shape[-1] ** 0.5
            if is_causal and a == b:
                s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
            tiles.append(s)
            vals.append(v)
        top = torch.stack([t.amax(-1) for t in tiles]).amax(0)[:, None]
        tot = sum((t - top).exp().sum(-1, keepdim=True) for t in tiles)
        outs.append(sum((t - top).exp() @ v for t, v in zip(tiles, vals)) / tot)
    return torch.cat(outs)


# wrong: a block's own keys are skipped
# named: own_block_left_out
def own_block_left_out_too(query, key, value, block_len, is_causal):
    outs = []
    for a, q in enumerate(query.split(block_len)):
        m = q.new_full((len(q), 1), -math.inf)
        t = torch.zeros_like(m)
        w = q.new_zeros(len(q), value.shape[1])
        for b, (k, v) in enumerate(zip(key.split(block_len), value.split(block_len))):
            if is_causal and b >= a and b > 0:
                break
            s = q @ k.T / query.shape[-1] ** 0.5
            if is_causal and a == b:
                s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
            n = torch.maximum(m, s.amax(-1, keepdim=True))
            e, f = (s - n).exp(), (m - n).exp()
            m, t, w = n, t * f + e.sum(-1, keepdim=True), w * f + e @ v
        outs.append(w / t)
    return torch.cat(outs)


# wrong: each tile twice: for the maximum, and for the sums
# named: computed_twice
def maximum_in_a_first_pass(query, key, value, block_len, is_causal):
    out = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len] / math.sqrt(query.shape[1])

        def tiles():
            for j in range(0, len(key), block_len):
                if is_causal and j >= i + len(q):
                    return
                s = q @ key[j : j + block_len].T
                if is_causal:
                    s = s.masked_fill(
                        torch.arange(j, j + s.shape[1]) > torch.arange(i, i + len(q))[:, None],
                        -math.inf,
                    )
                yield s, value[j : j + block_len]

        m = torch.stack([s.amax(1) for s, _ in tiles()]).amax(0)[:, None]
        total, weighted = 0.0, 0.0
        for s, v in tiles():
            e = (s - m).exp()
            total, weighted = total + e.sum(1, keepdim=True), weighted + e @ v
        out.append(weighted / total)
    return torch.cat(out)
