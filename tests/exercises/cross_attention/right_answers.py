"""Right answers to the exercises on cross attention, written in other ways."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F


def cross_attend_sdpa(x, memory, w_query, w_key, w_value):
    query, key = F.linear(x, w_query), F.linear(memory, w_key)
    identity = torch.eye(memory.shape[-2], dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
    values = F.linear(memory, w_value), identity
    return [F.scaled_dot_product_attention(query, key, value) for value in values]


def cross_attend_einsum(x, memory, *weights):
    pairs = zip((x, memory, memory), weights, strict=True)
    query, key, value = (torch.einsum("...td,hd->...th", part, w) for part, w in pairs)
    scores = torch.einsum("...ih,...jh->...ij", query * len(weights[0]) ** -0.5, key)
    shares = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return torch.einsum("...ij,...jh->...ih", shares, value), shares


def cross_attend_loop(x, memory, w_query, w_key, w_value):
    """A query at a time."""
    key, value = memory @ w_key.mT, memory @ w_value.mT
    rows = []
    for i in range(x.shape[-2]):
        query = x[..., i : i + 1, :].double() @ w_query.double().mT
        scores = query @ key.double().mT / w_query.size(0) ** 0.5
        rows.append(scores.softmax(-1).to(x.dtype))
    weights = torch.cat(rows, dim=-2)
    return weights @ value, weights


def padding_mask_loop(lengths, max_len):
    rows = [[position < length for position in range(max_len)] for length in lengths.tolist()]
    return torch.tensor(rows).reshape(len(lengths), 1, 1, max_len)


def padding_mask_filled(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, length in enumerate(lengths):
        mask[b, ..., :length] = True
    return mask


def combine_masks_product(padding, causal):
    return padding * causal


def combine_masks_blocked(padding, causal):
    return ~(~padding | causal.logical_not())


def combine_masks_where(padding, causal):
    return torch.where(padding, causal, False)


def combine_masks_loop(padding, causal):
    return torch.stack([causal.logical_and(row) for row in padding])


def rows_are_queries_one_query(attend, x, memory):
    """By the shape, with fewer queries than keys."""
    return attend(x[:1], memory)[1].shape[0] == 1


def rows_are_queries_columns(attend, x, memory):
    before = attend(x, memory)[1]
    columns = torch.zeros(before.shape[1])
    for i in range(len(x)):
        other = torch.cat([x[:i], torch.rand(1, x.shape[1]) - 0.5, x[i + 1 :]])
        columns = torch.maximum(columns, (attend(other, memory)[1] - before).abs().sum(dim=0))
        if (columns > 1e-5).sum() == 1:
            return False
    return True


def rows_are_queries_jacobian(attend, x, memory):
    slopes = torch.autograd.functional.jacobian(lambda x: attend(x, memory)[1], x)
    moves = slopes.abs().amax(dim=-1) > 1e-6  # (rows, columns, query_len)
    own = moves.any(dim=1)  # (rows, query_len)
    return len(own) == len(x) and not bool((own & ~torch.eye(len(x), dtype=torch.bool)).any())


def attend_safely_sdpa(query, key, value, mask):
    """Softmax in torch's own function, on rows that always allow something."""
    has_any = mask.any(-1, keepdim=True)
    identity = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    if key.shape[-2] == 0:
        output = query.new_zeros(*query.shape[:-1], value.shape[-1])
        return output, query.new_zeros(*query.shape[:-1], 0)
    attend = functools.partial(F.scaled_dot_product_attention, attn_mask=mask | ~has_any)
    return [torch.where(has_any, attend(query, key, part), 0.0) for part in (value, identity)]


def attend_safely_sentences(query, key, value, mask):
    """Each sentence by itself, without its padding."""
    outputs, rows = [], []
    for q, k, v, real in zip(query, key, value, mask[:, 0, 0], strict=True):
        scores = q @ k[:, real].mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(-1)
        outputs.append(weights @ v[:, real])
        row = torch.zeros(*q.shape[:2], k.shape[1], dtype=q.dtype)
        row[..., real] = weights
        rows.append(row)
    return torch.stack(outputs), torch.stack(rows)


def depends_on_neighbours_backwards(model, source, lengths):
    together, answers = model(source, lengths), []
    for b in reversed(range(len(lengths))):
        short = source[[b]][:, : int(lengths[b])]
        answers.insert(0, model(short, lengths[b].reshape(1)))
    return not ((torch.cat(answers) - together).abs() <= 1e-4).all()


def depends_on_neighbours_numpy(model, source, lengths):
    answers = [
        model(source[b, :n].unsqueeze(0), torch.tensor([n])).numpy()
        for b, n in enumerate(lengths.tolist())
    ]
    together = model(source, lengths).numpy()
    return not np.allclose(np.concatenate(answers), together, rtol=0, atol=1e-5)
