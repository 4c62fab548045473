"""Answers to attend_in_tiles (lesson 12, exercise 3), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def logarithms(query, key, value, block_len, is_causal):
    """Keeps the output so far and the logarithm of the sum, as FlashAttention-2 stores it."""
    blocks = []
    for first in range(0, query.shape[0], block_len):
        rows = query[first : first + block_len] / query.shape[1] ** 0.5
        stop = min(first + block_len, len(key)) if is_causal else len(key)
        out, log = torch.zeros(len(rows), value.shape[1]), torch.full((len(rows), 1), -torch.inf)
        for start in range(0, stop, block_len):
            part = slice(start, min(start + block_len, stop))
            scores = rows @ key[part].mT
            if is_causal and start == first:
                scores = scores + torch.full_like(scores, -torch.inf).triu(1)
            own = scores.logsumexp(1, keepdim=True)
            new = torch.logaddexp(log, own)
            out = out * (log - new).exp() + (scores - new).exp() @ value[part]
            log = new
        blocks.append(out)
    return torch.cat(blocks)


# right
def one_by_one(query, key, value, block_len, is_causal):
    """Tiles of one by one are tiles too."""
    output = value.new_zeros(len(query), value.shape[1])
    for i, q in enumerate(query / math.sqrt(query.shape[1])):
        maximum, total, weighted = q.new_tensor(-torch.inf), 0.0, 0.0
        for k, v in list(zip(key, value, strict=True))[: i + 1 if is_causal else None]:
            score = q @ k
            new = torch.maximum(maximum, score)
            total = total * (maximum - new).exp() + (score - new).exp()
            weighted = weighted * (maximum - new).exp() + (score - new).exp() * v
            maximum = new
        output[i] = weighted / total
    return output


# right
def keys_outside(query, key, value, block_len, is_causal):
    """The outer loop goes over the keys, as in FlashAttention's first version."""
    n, d = query.shape
    maximum, total = query.new_full((n, 1), -math.inf), query.new_zeros(n, 1)
    weighted = query.new_zeros(n, value.shape[1])
    for j in range(0, len(key), block_len):
        for i in range(j if is_causal else 0, n, block_len):
            rows = slice(i, min(i + block_len, n))
            tile = query[rows] @ key[j : j + block_len].T / math.sqrt(d)
            if is_causal and i == j:
                tile = tile.masked_fill(torch.ones_like(tile).triu(1).bool(), -math.inf)
            new = torch.maximum(maximum[rows], tile.max(dim=1, keepdim=True).values)
            shrink, numerators = (maximum[rows] - new).exp(), (tile - new).exp()
            total[rows] = total[rows] * shrink + numerators.sum(1, keepdim=True)
            weighted[rows] = weighted[rows] * shrink + numerators @ value[j : j + block_len]
            maximum[rows] = new
    return weighted / total


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


# wrong: a token does not see itself
# not named yet: hides_itself
# points: 6
# strictly_before = drops_the_rest: for j in range(0, len(key) // block_len * block_len, block_len): -> for j in range(0, len(key), block_len):
# strictly_before = drops_the_rest: s = s.masked_fill(kp > qp, -math.inf) -> s = s.masked_fill(kp >= qp, -math.inf)


# wrong: the plain form
# named: holds_a_table
# points: 7
def whole_table(query, key, value, block_len, is_causal):
    scores = query @ key.mT / math.sqrt(query.size(-1))
    if is_causal:
        n = len(query)
        scores[torch.arange(n)[None] > torch.arange(n)[:, None]] = -math.inf
    return torch.softmax(scores, -1) @ value


# wrong: calls torch's attention
# named: forbidden
def of_torch(query, key, value, block_len, is_causal):
    return F.scaled_dot_product_attention(query, key, value, is_causal=is_causal)


# wrong: means over the tiles
def softmax_of_each_tile(query, key, value, block_len, is_causal):
    """Right but for the merge."""
    outputs = []
    for rows in query.split(block_len):
        tiles = zip(key.split(block_len), value.split(block_len), strict=True)
        found = [torch.softmax(rows @ k.T / math.sqrt(len(k[0])), dim=-1) @ v for k, v in tiles]
        outputs.append(torch.stack(found).mean(dim=0))
    return torch.cat(outputs)


# wrong: exponentials of scores as they are
# named: overflows
# points: 9
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


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for length, block_len in ((1, 1), (5, 3), (8, 4), (9, 2), (4, 9)):
        for is_causal in (False, True):
            yield randn(length, 3), randn(length, 3), randn(length, 2), block_len, is_causal
