"""Right answers to the exercises on fast attention, written in other ways."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def running_softmax_cumulative(scores):
    maximum = torch.cummax(scores, 0)[0]
    return maximum, (scores.logcumsumexp(0) - maximum).exp()


def running_softmax_prefixes(scores):
    pairs = [
        (s.max(), (s - s.max()).exp().sum()) for s in (scores[: i + 1] for i in range(len(scores)))
    ]
    return [torch.stack(column) for column in zip(*pairs, strict=True)]


def running_softmax_first_key(scores):
    """Begins with the first score instead of minus infinity, in a tensor made beforehand."""
    maximum, total = torch.empty_like(scores), torch.ones_like(scores)
    maximum[0] = scores[0]
    for i in range(1, len(scores)):
        if scores[i] > maximum[i - 1]:
            maximum[i] = scores[i]
            total[i] = total[i - 1] * (maximum[i - 1] - scores[i]).exp() + 1
        else:
            maximum[i] = maximum[i - 1]
            total[i] = total[i - 1] + (scores[i] - maximum[i]).exp()
    return maximum, total


def running_softmax_numpy(scores):
    numbers = scores.double().numpy()
    maximum = np.maximum.accumulate(numbers)
    total = [np.exp(numbers[: i + 1] - maximum[i]).sum() for i in range(len(numbers))]
    return torch.from_numpy(maximum).to(scores), torch.tensor(total).to(scores)


def running_softmax_floats(scores):
    rows, maximum, total = [], -math.inf, 0.0
    for score in scores.tolist():
        old, maximum = maximum, max(maximum, score)
        total = total * math.exp(old - maximum) + math.exp(score - maximum)
        rows.append((maximum, total))
    return tuple(torch.tensor(rows, dtype=scores.dtype).T)


def merge_parts_logarithms(first, second):
    """In logarithms: log(total) + maximum, and back."""
    logs = [part[0] + part[1].log() for part in (first, second)]
    both, maximum = torch.logaddexp(*logs), torch.maximum(first[0], second[0])
    safe = maximum.masked_fill(maximum.isinf(), 0.0)
    weighted = sum(part[2] * (part[0] - safe).exp() for part in (first, second))
    return maximum, (both - safe).exp(), weighted


def merge_parts_where(first, second):
    """The larger keeps its size; only the other shrinks."""
    swap = second[0] > first[0]
    large = [torch.where(swap, b, a) for a, b in zip(first, second, strict=True)]
    small = [torch.where(swap, a, b) for a, b in zip(first, second, strict=True)]
    factor = torch.where(small[0].isneginf(), 0.0, torch.exp(small[0] - large[0]))
    return large[0], large[1] + factor * small[1], large[2] + factor * small[2]


def merge_parts_stacked(first, second):
    maxima = torch.stack((first[0], second[0]))
    maximum = maxima.amax(dim=0)
    factors = torch.exp(maxima - maximum.clamp(min=-1e30))
    totals, weighted = (torch.stack((first[i], second[i])) for i in (1, 2))
    return [maximum, (factors * totals).sum(0), (factors * weighted).sum(0)]


def merge_parts_nan_to_num(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    m = torch.max(m1, m2)
    a, b = (m1 - m).exp().nan_to_num(0.0), (m2 - m).exp().nan_to_num(0.0)
    return m, t1 * a + t2 * b, w1 * a + w2 * b


def merge_parts_rows(first, second):
    rows = []
    for m1, t1, w1, m2, t2, w2 in zip(*first, *second, strict=True):
        m = max(m1, m2)
        a, b = (math.exp(x - m) if x > -math.inf else 0.0 for x in (m1, m2))
        rows.append((m, a * t1 + b * t2, a * w1 + b * w2))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


def attend_in_tiles_logarithms(query, key, value, block_len, is_causal):
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


def attend_in_tiles_one_by_one(query, key, value, block_len, is_causal):
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


def attend_in_tiles_keys_outside(query, key, value, block_len, is_causal):
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


def bytes_moved_tensors(num_heads, query_len, key_len, head_dim, bytes_per_number):
    """Counts the numbers of real shapes."""
    q, k = (num_heads, query_len, head_dim), (num_heads, key_len, head_dim)
    table = (num_heads, query_len, key_len)
    fused = sum(map(math.prod, (q, k, k, q)))
    return (fused + 4 * math.prod(table)) * bytes_per_number, fused * bytes_per_number


def bytes_moved_factored(h, q, k, d, size):
    fused = 2 * h * size * d * (q + k)
    return torch.tensor([fused + 4 * h * q * k * size, fused])


def bytes_moved_passes(num_heads, query_len, key_len, head_dim, bytes_per_number):
    reads = num_heads * head_dim * (query_len + 2 * key_len)
    writes = num_heads * head_dim * query_len
    scores = num_heads * query_len * key_len
    explicit = (reads + scores + scores) + (writes + scores + scores)
    return np.array([explicit, reads + writes]) * bytes_per_number


def safe_attention_numbers(query, key, value, mask, is_causal, dropout, training):
    """An additive mask; the empty rows are cut out and never asked."""
    allowed = torch.ones(len(query), len(key), dtype=torch.bool) if mask is None else mask
    if is_causal:
        shift = len(key) - len(query)
        allowed = allowed & (torch.arange(len(key)) <= torch.arange(len(query))[:, None] + shift)
    rows = allowed.any(dim=1)
    bias = query.new_zeros(allowed.shape).masked_fill(~allowed, -math.inf)
    output = value.new_zeros(len(query), value.shape[1])
    if rows.any():
        output[rows] = F.scaled_dot_product_attention(
            query[rows], key, value, attn_mask=bias[rows], dropout_p=dropout * training
        )
    return output


def safe_attention_by_hand(query, key, value, mask, is_causal, dropout, training):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    if is_causal:
        hidden = hidden | torch.ones_like(hidden).triu(1 + len(key) - len(query))
    weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1).nan_to_num(0.0)
    return F.dropout(weights, dropout, training) @ value


def safe_attention_where(query, key, value, mask, is_causal, dropout, training):
    n, m = len(query), len(key)
    mask = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    for i in range(n if is_causal else 0):
        mask[i, i + m - n + 1 :] = False
    empty = ~mask.any(dim=1)
    mask[empty, 0] = True
    out = F.scaled_dot_product_attention(query, key, value, mask, dropout if training else 0.0)
    return torch.where(empty[:, None], torch.zeros_like(out), out)


def safe_attention_layer(query, key, value, mask, is_causal, dropout, training):
    """Row by row, each with the keys that it may see."""
    rows = []
    for i, q in enumerate(query):
        keys = torch.ones(len(key), dtype=torch.bool) if mask is None else mask[i].clone()
        if is_causal:
            keys[len(key) - len(query) + i + 1 :] = False
        if not keys.any():
            rows.append(value.new_zeros(value.shape[1]))
            continue
        one = (q[None], key[keys], value[keys])
        rows.append(F.scaled_dot_product_attention(*one, dropout_p=training * dropout)[0])
    return torch.stack(rows)


def document_rule_distance(documents, window, batch, head, query, key):
    distance = query - key
    reach = torch.where(head % 2 == 0, documents.shape[1], window)
    same = documents[batch, query].eq(documents[batch, key])
    return same & (distance >= 0) & (distance < reach)


def document_rule_loop(documents, window, batch, head, query, key):
    allowed = []
    for b, h, q, k in zip(batch, head, query, key, strict=True):
        same = documents[b, q] == documents[b, k]
        allowed.append(bool(same and k <= q and (h % 2 == 0 or q - k < window)))
    return torch.tensor(allowed)


def document_rule_table(documents, window, batch, head, query, key):
    """Makes the table after all, and looks the pairs up."""
    n = documents.shape[1]
    own = documents[:, :, None] == documents[:, None, :]
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    near = causal & causal.triu(1 - window)
    tables = torch.stack((own & causal, own & near))  # even heads, odd heads
    return tables[head % 2, batch, query, key]


def document_rule_or(documents, window, batch, head, query, key):
    hidden = (documents[batch, query] != documents[batch, key]) | (key > query)
    return ~(hidden | ((head & 1).bool() & (query >= key + window)))
