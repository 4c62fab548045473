"""Right answers written in other ways, the notebooks' solutions, and small edits of source code."""

import ast
import contextlib
import functools
import inspect
import itertools
import math
import statistics
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from course_lib import SingleHead, heads, masks

SOLUTIONS = Path(__file__).parent.parent / "solutions"
SEEDS = range(50)


# --- right answers that are written differently ------------------------------------------------


def attend_by_hand_numpy(query, keys, values):
    scores = np.array(keys) @ np.array(query)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ np.array(values), weights


def attend_by_hand_torch(q, k, v):
    weights = torch.tensor(k, dtype=torch.float64) @ torch.tensor(q, dtype=torch.float64)
    weights = weights.softmax(0)
    return (weights @ torch.tensor(v, dtype=torch.float64)), tuple(weights)


def attend_all_einsum(query, key, value):
    weights = torch.einsum("id,jd->ij", query, key).exp()
    weights = torch.einsum("ij,i->ij", weights, 1 / weights.sum(1))
    return torch.einsum("ij,jv->iv", weights, value), weights


def attend_all_sdpa(query, key, value):
    identity = torch.eye(len(key), dtype=key.dtype)
    output = F.scaled_dot_product_attention(query, key, value, scale=1.0)
    return output, F.scaled_dot_product_attention(query, key, identity, scale=1.0)


def attend_all_float64(query, key, value):
    weights = torch.matmul(query.double(), key.double().mT).softmax(1)
    return (weights @ value.double()).to(value.dtype), weights.to(value.dtype)


def attend_all_vmap(query, key, value):
    weights = torch.vmap(lambda q: torch.softmax(key @ q, 0))(query)
    return weights @ value, weights


def stable_softmax_loop(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = torch.stack([(row - row.max()).exp() / (row - row.max()).exp().sum() for row in rows])
    return out.reshape(scores.shape)


def stable_softmax_logsumexp(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))


def stable_softmax_float64(scores):
    shifted = scores.double() - scores.double().max(-1, keepdim=True).values
    return (shifted.exp() / shifted.exp().sum(-1).unsqueeze(-1)).to(scores.dtype)


def weights_at_loop(scores, temperature):
    if temperature > 0:
        return F.softmax(scores / temperature, dim=scores.dim() - 1)
    out = torch.zeros_like(scores)
    for index in np.ndindex(*scores.shape[:-1]):
        ties = scores[index] == scores[index].max()
        out[index] = ties / ties.sum()
    return out


def weights_at_masked(scores, temperature):
    top = scores.max(dim=-1, keepdim=True)[0]
    if not temperature:
        return torch.where(scores == top, 0.0, -torch.inf).to(scores).softmax(-1)
    return torch.softmax((scores - top) / temperature, -1)


def rows_sum_to_one_batched(attention):
    inputs = (torch.randn(2, n, 5, dtype=torch.float64) for n in (6, 4, 4))
    _, weights = attention(*inputs)
    is_one = weights.sum(-1).sub(1).abs().lt(1e-6)
    return is_one.all() & weights.ge(0).all()  # a tensor with one bool


def rows_sum_to_one_loop(attention):
    output, weights = attention(torch.rand(7, 3), torch.rand(7, 3) * 2, torch.rand(7, 3))
    shares = all(float(weight) >= 0 for row in weights for weight in row)
    return shares and all(math.isclose(float(row.sum()), 1, abs_tol=1e-3) for row in weights)


def project_qkv_linear(x, w_query, w_key, w_value):
    return [F.linear(x, weight) for weight in (w_query, w_key, w_value)]


def project_qkv_einsum(x, *weights):
    return tuple(torch.einsum("...td,hd->...th", x, weight) for weight in weights)


def project_qkv_chunk(x, w_query, w_key, w_value):
    return (x @ torch.cat([w_query, w_key, w_value]).T).chunk(3, dim=-1)


def scaled_scores_einsum(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * key.size(-1) ** -0.5


def scaled_scores_before(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT


def is_equivariant_inverse(layer, x):
    order = torch.randperm(x.size(0))
    return (layer(x[order])[order.argsort()] - layer(x)).abs().max().item() < 1e-4


def is_equivariant_swaps(layer, x):
    out = layer(x)
    for i in range(len(x) - 1):  # swaps of neighbours generate every order
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if not np.allclose(layer(x[order]).numpy(), out[order].numpy(), atol=1e-5):
            return False
    return True


def single_head_sdpa(x, w_query, w_key, w_value):
    query, key, value = (F.linear(x, weight) for weight in (w_query, w_key, w_value))
    identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]


def single_head_float64(x, w_query, w_key, w_value):
    y, wq, wk, wv = (part.double() for part in (x, w_query, w_key, w_value))
    weights = (y @ (wq.T @ wk) @ y.mT / wq.shape[0] ** 0.5).softmax(-1)
    return (weights @ y @ wv.T).to(x.dtype), weights.to(x.dtype)


def softmax_jacobian_autograd(weights):
    scores = torch.log(weights.clamp(min=1e-30))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


def softmax_jacobian_loop(weights):
    size = len(weights)
    out = torch.empty(size, size, dtype=weights.dtype)
    for i in range(size):
        for j in range(size):
            out[i, j] = weights[i] * (float(i == j) - weights[j])
    return out


def concatenate_loop(heads):
    count, size = len(heads), heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], count * size)
    for i in range(count):
        joined[..., i * size : (i + 1) * size] = heads[i]
    return joined


def concatenate_stack(heads):
    return torch.stack(heads.unbind(), dim=-2).flatten(start_dim=-2)


def mix_heads_einsum(heads, w_out):
    blocks = w_out.unflatten(1, (len(heads), -1))
    contributions = torch.einsum("h...d,mhd->h...m", heads, blocks)
    return contributions.sum(dim=0), contributions


def mix_heads_silenced(heads, w_out):
    """All heads but one are set to zero, one after the other."""
    alone = torch.eye(len(heads), dtype=heads.dtype)
    joined = [concatenate_loop(torch.einsum("h,h...->h...", row, heads)) for row in alone]
    return [F.linear(concatenate_loop(heads), w_out), F.linear(torch.stack(joined), w_out)]


def make_heads_generator(num_heads, d_model, head_dim, seed):
    """Building the heads draws from the global generator, as every module does."""
    heads = nn.ModuleList()
    generator = torch.Generator().manual_seed(seed)
    for _ in range(num_heads):
        heads.append(SingleHead(d_model, head_dim, bias=False))
    for weight in heads.parameters():
        nn.init.normal_(weight, std=d_model**-0.5, generator=generator)
    return heads


def make_heads_restored(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    heads = []
    for i in range(num_heads):
        torch.manual_seed(1000 * seed + i)
        heads.append(SingleHead(d_model, head_dim, bias=False))
    torch.set_rng_state(state)
    return nn.Sequential(*heads)


def three_targets_indexed(items, places):
    positions = (places[..., None] + torch.tensor([3, 0, 1])) % items.size(1)
    return items[torch.arange(len(items))[:, None, None], positions]


def three_targets_rolled(items, places):
    return torch.stack([items.roll(shift, 1).gather(1, places) for shift in (0, 2, -2)], dim=2)


def three_targets_loop(items, places):
    targets = torch.zeros(*places.shape, 3, dtype=items.dtype)
    for row, query in np.ndindex(*places.shape):
        place = places[row, query]  # negative indices count from the end
        targets[row, query] = items[row, [place, place - 1, place - 2]]
    return targets


def stay_identical_argued(heads, out_proj, x):
    owned = [nn.utils.parameters_to_vector(head.parameters()) for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.equal(part[0], other) for part in (owned, blocks) for other in part)


def stay_identical_trained(heads, out_proj, x):
    parameters = [*heads.parameters(), out_proj.weight]
    for _ in range(3):
        output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
        slopes = torch.autograd.grad((output - torch.sin(5 * x)).pow(2).mean(), parameters)
        for parameter, slope in zip(parameters, slopes, strict=True):
            parameter.data -= 0.1 * slope
    flat = torch.stack([nn.utils.parameters_to_vector(head.parameters()) for head in heads])
    return (flat - flat[0]).abs().max() < 1e-5


def predict_row_numpy(head_counts, num_pointers, vocab_size):
    missing = np.maximum(num_pointers - np.array(head_counts), 0)
    return 1 - missing * (1 - 1 / vocab_size) / num_pointers


def predict_row_torch(head_counts, num_pointers, vocab_size):
    tokens = torch.arange(num_pointers)
    fetched = tokens < torch.tensor(head_counts)[:, None]
    return torch.where(fetched, 1.0, 1 / vocab_size).mean(dim=-1)


def split_heads_permute(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


def split_heads_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=2), dim=1)


def split_heads_loop(x, num_heads):
    size = x.size(2) // num_heads
    out = torch.empty(len(x), num_heads, x.size(1), size, dtype=x.dtype)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * size : (i + 1) * size]
    return out


def combine_heads_cat(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)


def combine_heads_contiguous(heads):
    heads = heads.permute(0, 2, 1, 3).contiguous()
    return heads.view(*heads.shape[:2], -1)


def combine_heads_einsum(heads):
    return torch.einsum("bhtd->bthd", heads).flatten(2)


def probe_layer_jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x, vectorize=True)  # (B, T, d, B, T, d)
    hears = slopes.abs().amax(dim=(2, 5)) > 1e-6  # (B, T, B, T): output, input
    own = torch.eye(len(x), dtype=torch.bool)
    others = ~torch.eye(x.shape[1], dtype=torch.bool)
    inside = hears[own[:, None, :, None].expand_as(hears)].view(len(x), x.shape[1], x.shape[1])
    orders = [torch.randperm(x.shape[1]) for _ in range(5)]
    follows = all(torch.allclose(layer(x[:, o]), layer(x)[:, o], atol=1e-5) for o in orders)
    alone = not hears[~own[:, None, :, None].expand_as(hears)].any()
    return follows, alone, inside[:, others].any()


def probe_layer_numpy(layer, x):
    def same(a, b):
        return np.allclose(a.numpy(), b.numpy(), atol=1e-5)

    order, out = torch.randperm(x.shape[1]), layer(x)
    independent = all(same(layer(part), out[b : b + 1]) for b, part in enumerate(x.split(1)))
    connected = False
    for b, t in np.ndindex(*x.shape[:2]):
        kept = x.clone()  # of sentence b, all but token t are changed
        kept[b] = torch.randn_like(x[b])
        kept[b, t] = x[b, t]
        connected = connected or not same(layer(kept)[b, t], out[b, t])
    return [same(layer(x[:, order])[:, order.argsort()], out), independent, connected]


def heads_to_matrix_flattened(heads):
    parts = (torch.stack([getattr(h, name) for h in heads]) for name in ("weight", "bias"))
    return tuple(part.flatten(0, 1) for part in parts)


def heads_to_matrix_measured(heads):
    """The bias is what comes out for 0, a column of the weight what a unit input adds."""
    rows = torch.eye(heads[0].in_features, dtype=heads[0].weight.dtype)
    bias = torch.cat([head(0 * rows[0]) for head in heads])
    return (torch.cat([head(rows) for head in heads], dim=-1) - bias).T, bias


def head_parts_chunks(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads, dim=1)[i]


def head_parts_views(w_query, w_output, num_heads, i):
    d_model = len(w_query)
    rows = w_query.reshape(num_heads, -1, d_model)[i]
    return [rows, w_output.reshape(d_model, num_heads, -1)[:, i]]


def unpack_gpt2_columns(weight):
    return [part.T for part in weight.split(len(weight), dim=1)]


def unpack_gpt2_permuted(weight):
    return weight.reshape(len(weight), 3, len(weight)).permute(1, 2, 0).unbind()


def unpack_neox_chunks(weight, num_heads):
    pieces = weight.chunk(3 * num_heads)  # query, key, value of head 0, query of head 1, ...
    return tuple(torch.cat(pieces[i::3]) for i in range(3))


def unpack_neox_rows(weight, num_heads):
    size = len(weight) // (3 * num_heads)
    which = torch.arange(len(weight)) // size % 3
    return [weight[which == i] for i in range(3)]


def trace_shapes_partial(module, x):
    found = []

    def record(name, part, inputs, output):
        while isinstance(output, (tuple, list)):
            output = output[0]
        found.append((name, output.shape))

    with contextlib.ExitStack() as stack:
        for name, part in module.named_modules():
            hook = part.register_forward_hook(functools.partial(record, name))
            stack.callback(hook.remove)
        module(x)
    return found


def trace_shapes_global(module, x):
    names, found = {part: name for name, part in module.named_modules()}, []

    def record(part, inputs, output):
        first = output if isinstance(output, torch.Tensor) else output[0]
        found.append([names[part], list(first.shape)])

    handle = torch.nn.modules.module.register_module_forward_hook(record)
    try:
        module(x)
    finally:
        handle.remove()
    return found


def relative_costs_statistics(functions, timer, rounds):
    times = {function: [] for function in functions}
    for turn in range(rounds + 2):  # two rounds of warm-up
        for function in functions:
            begin = timer()
            function()
            end = timer()
            if turn >= 2:
                times[function].append(end - begin)
    first, *others = (statistics.median(own) for own in times.values())
    return [1.0] + [other / first for other in others]


def relative_costs_numpy(functions, timer, rounds):
    [function() for function in functions]
    times = np.zeros((rounds, len(functions)))
    for row in range(rounds):
        order = range(len(functions))
        for column in order if row % 2 else reversed(order):  # to and fro
            start = timer()
            functions[column]()
            times[row, column] = timer() - start
    medians = np.median(times, axis=0)
    return medians / medians[0]


def causal_mask_positions(query_len, key_len):
    positions = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len) <= positions.unsqueeze(-1)


def causal_mask_triu(query_len, key_len):
    return torch.triu(torch.ones(query_len, key_len), diagonal=key_len - query_len + 1) == 0


def causal_mask_loop(query_len, key_len):
    back = key_len - query_len
    return torch.tensor([[j <= back + i for j in range(key_len)] for i in range(query_len)])


def leaks_all_later(layer, x):
    for i in range(len(x) - 1):
        changed = torch.cat([x[: i + 1], x[i + 1 :] + torch.randn(len(x) - i - 1, x.shape[1])])
        if not (layer(changed)[: i + 1] - layer(x)[: i + 1]).abs().max() <= 1e-4:
            return True
    return False


def leaks_jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)  # (T, d, T, d)
    by_token = slopes.abs().amax(dim=(1, 3))  # row: output, column: token
    return not bool((by_token.triu(1) <= 1e-6).all())


def leaks_numpy(layer, x):
    before = layer(x).numpy()
    for j in reversed(range(len(x))):
        changed = x.clone()
        changed[j] = 3 * torch.rand(x.size(1)) - 1
        if not np.allclose(layer(changed).numpy()[:j], before[:j], rtol=0, atol=1e-6):
            return np.True_
    return np.False_


def masked_softmax_where(scores, mask):
    return F.softmax(torch.where(mask, scores, -torch.inf), -1)


def masked_softmax_added(scores, mask):
    return (scores + torch.zeros(mask.shape).to(scores).masked_fill(~mask, -torch.inf)).softmax(-1)


def masked_softmax_log(scores, mask):
    return torch.exp(torch.log_softmax(scores + mask.log().to(scores.dtype), dim=-1))


def masked_softmax_by_hand(scores, mask):
    scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    numerators = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return numerators / numerators.sum(dim=-1, keepdim=True)


def masked_call_float(layer, x, mask):
    blocked = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -torch.inf)
    return layer(query=x, key=x, value=x, attn_mask=blocked)


def masked_call_heads(layer, x, mask):
    blocked = mask.logical_not().repeat(len(x) * layer.num_heads, 1, 1)
    output, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return [output, weights.mean(dim=1)]


def expand_mask_repeat(mask, batch, heads):
    if mask.dim() == 2:
        return mask.repeat(batch, heads, 1, 1)
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0).view(batch, heads, *mask.shape[1:])
    return torch.broadcast_to(mask, (batch, heads, *mask.shape[2:]))


def expand_mask_and(mask, batch, heads):
    mask = mask[:, None] if mask.ndim == 3 else mask
    return mask & torch.ones(batch, heads, 1, 1, dtype=torch.bool)


def safe_masked_softmax_filled(scores, mask):
    """NaN arises, and masked_fill hands no gradient back to the places that it filled."""
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1).nan_to_num(0.0)


def safe_masked_softmax_lowest(scores, mask):
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights.masked_fill(~mask, 0)


def safe_masked_softmax_where(scores, mask):
    empty = ~mask.any(-1, keepdim=True)
    weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1)
    return torch.where(empty, 0.0, weights).to(scores.dtype)


def safe_masked_softmax_clamped(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    top = scores.masked_fill(~mask, lowest).amax(dim=-1, keepdim=True).detach()
    numerators = (scores - top).clamp(max=0).exp() * mask
    return numerators / numerators.sum(dim=-1, keepdim=True).clamp(min=1e-4)


def sliding_window_mask_positions(length, window):
    positions = torch.arange(length)
    back = positions.unsqueeze(1) - positions.unsqueeze(0)
    return torch.logical_and(back >= 0, back < window)


def sliding_window_mask_difference(length, window):
    causal = torch.ones(length, length).tril()
    return (causal - causal.tril(-window)).bool()


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


def padding_mask_library(lengths, max_len):
    return masks.padding_mask(lengths, max_len)


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


def attend_safely_library(query, key, value, mask):
    scores = query @ key.mT * query.shape[-1] ** -0.5
    weights = masks.masked_softmax(scores, mask)
    return torch.einsum("bhij,bhjd->bhid", weights, value), weights


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
    return (torch.cat(answers) - together).abs().max() > 1e-4


def depends_on_neighbours_numpy(model, source, lengths):
    answers = [
        model(source[b, :n].unsqueeze(0), torch.tensor([n])).numpy()
        for b, n in enumerate(lengths.tolist())
    ]
    together = model(source, lengths).numpy()
    return not np.allclose(np.concatenate(answers), together, rtol=0, atol=1e-5)


def layer_norm_var(x, weight, bias, eps):
    var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return torch.addcmul(bias, (x - mean).div((eps + var) ** 0.5), weight)


def layer_norm_moments(x, weight, bias, eps):
    """The variance as the mean square less the squared mean; in float64, or it would round."""
    y = x.double()
    mean = y.mean(-1).unsqueeze(-1)
    variance = (y**2).mean(-1).unsqueeze(-1) - mean**2
    return (bias + weight * (y - mean) * (variance + eps) ** -0.5).to(x.dtype)


def layer_norm_loop(x, weight, bias, eps):
    """A token at a time."""
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        variance, mean = torch.var_mean(token, correction=0)
        rows.append(weight * (token - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(x)


def feed_forward_linear(x, w_up, b_up, w_down, b_down):
    return F.linear(nn.GELU()(F.linear(x, w_up, b_up)), w_down, b_down)


def feed_forward_erf(x, w_up, b_up, w_down, b_down):
    """A hidden feature at a time, each with what it adds to the output."""
    output = b_down.expand_as(x)
    for row, bias, column in zip(w_up, b_up, w_down.T, strict=True):
        hidden = (x * row).sum(dim=-1, keepdim=True) + bias
        output = output + hidden * (1 + torch.erf(hidden / math.sqrt(2))) / 2 * column
    return output


def block_step_before_and_after(x, sublayer, norm, norm_first):
    before, after = (norm, nn.Identity()) if norm_first else (nn.Identity(), norm)
    return after(torch.add(sublayer(before(x)), x))


def block_step_by_token(x, sublayer, norm, norm_first):
    """The norm is asked about one token after the other."""

    def each(x):
        return torch.stack([norm(token) for token in x.flatten(0, -2)]).view_as(x)

    normal = each(x) if norm_first else x.clone()
    stream = x.clone()
    stream += sublayer(normal)
    return stream if norm_first else each(stream)


def sinusoidal_positions_loop(length, d_model):
    table = torch.zeros(length, d_model)
    for p, feature in np.ndindex(length, d_model):
        angle = p / 10000 ** (feature // 2 * 2 / d_model)
        table[p, feature] = math.cos(angle) if feature % 2 else math.sin(angle)
    return table


def sinusoidal_positions_filled(length, d_model):
    """As in much code: exp of a logarithm, and two slices that are filled."""
    speeds = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(torch.arange(0, length).float().unsqueeze(1) * speeds)
    table[:, 1::2] = torch.cos(torch.arange(0, length).float().unsqueeze(1) * speeds)
    return table


def sinusoidal_positions_shifted(length, d_model):
    """A cosine is a sine a quarter of a turn ahead."""
    feature = torch.arange(d_model, dtype=torch.float64)
    speeds = 10000 ** (-(feature - feature % 2) / d_model)
    return torch.sin(torch.outer(torch.arange(length), speeds) + feature % 2 * math.pi / 2).float()


def add_learned_embedding(x, table, offset):
    places = torch.arange(offset, offset + x.size(1))
    return x + F.embedding(places, table).unsqueeze(0).expand_as(x)


def add_learned_loop(x, table, offset):
    return torch.stack([x[:, t] + table[offset + t] for t in range(x.shape[-2])], dim=1)


def add_learned_rolled(x, table, offset):
    return table.roll(-offset, 0)[: x.size(-2)] + x


def rotary_complex(x, first_place):
    length, head_dim = x.shape[-2:]
    speeds = 10000.0 ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)
    angle = torch.outer(torch.arange(length) + first_place, speeds)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angle)).flatten(-2).to(x.dtype)


def rotary_rotated_half(x, first_place):
    """x cos + (x turned by a quarter) sin, with each angle twice."""
    place = torch.arange(first_place, first_place + x.size(-2), dtype=x.dtype)
    speeds = torch.exp(torch.arange(0, x.size(-1), 2) * -(math.log(10000) / x.size(-1)))
    angle = torch.einsum("t,f->tf", place, speeds.to(x.dtype)).repeat_interleave(2, dim=-1)
    quarter = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * angle.cos() + quarter * angle.sin()


def rotary_matrices(x, first_place):
    rows = []
    for t in range(x.shape[-2]):
        matrix = torch.zeros(x.shape[-1], x.shape[-1], dtype=x.dtype)
        for i in range(0, x.shape[-1], 2):
            angle = (first_place + t) / 10000 ** (i / x.shape[-1])
            cos, sin = math.cos(angle), math.sin(angle)
            matrix[i : i + 2, i : i + 2] = torch.tensor([[cos, -sin], [sin, cos]])
        rows.append(x[..., t, :] @ matrix.T)
    return torch.stack(rows, dim=-2)


def places_by_time_loops(add_positions, x):
    repeated = torch.ones(1, x.shape[1], x.shape[2])
    placed = add_positions(repeated)[0].numpy()
    for i in range(len(placed)):
        for j in range(i):
            if np.allclose(placed[i], placed[j], rtol=0, atol=1e-5):
                return False
    for b in reversed(range(len(x))):
        alone = add_positions(x[b].unsqueeze(0)).squeeze(0)
        if (alone - add_positions(x)[b]).abs().max() > 1e-4:
            return False
    return True


def places_by_time_cdist(add_positions, x):
    """Every sentence is asked about its places, in the whole batch."""
    alike = x[:, :1].repeat(1, x.size(1), 1)
    placed = add_positions(alike)
    apart = torch.cdist(placed, placed, compute_mode="donot_use_mm_for_euclid_dist")
    apart = apart + torch.eye(x.size(1))
    pairs = zip(x.split(1), add_positions(x).split(1), strict=True)
    same = [torch.allclose(add_positions(one), two, rtol=0, atol=1e-5) for one, two in pairs]
    return (apart > 1e-4).all() & all(same)


def depends_on_distance_only_diagonals(turn_query, turn_key, length, head_dim):
    query, key = torch.rand(2, head_dim).unbind()
    scores = turn_query(query.repeat(length, 1)) @ turn_key(key.repeat(length, 1)).mT
    lines = (scores.diagonal(distance) for distance in range(1 - length, length))
    return all((line.max() - line.min()).item() < 2e-3 for line in lines)


def depends_on_distance_only_loop(turn_query, turn_key, length, head_dim):
    q, k = np.random.randn(2, head_dim).astype(np.float32)
    query = turn_query(torch.tensor(q).expand(length, -1))
    key = turn_key(torch.tensor(k).expand(length, -1))
    found = {}
    for i in range(length):
        for j in range(length):
            score = float(query[i] @ key[j])
            if abs(found.setdefault(i - j, score) - score) > 1e-3:
                return np.False_
    return np.True_


def alibi_scores_einsum(scores, slopes):
    queries, keys = scores.shape[2:]
    back = torch.arange(keys).unsqueeze(0) - torch.arange(queries).unsqueeze(1) - (keys - queries)
    return scores - torch.einsum("h,qk->hqk", slopes, back.abs().to(slopes.dtype))


def alibi_scores_loop(scores, slopes):
    out = scores.clone()
    for b, h, i, j in np.ndindex(*scores.shape):
        out[b, h, i, j] -= slopes[h] * abs(scores.shape[3] - scores.shape[2] + i - j)
    return out


def drops_twice_repeated(layer, x, p):
    """Many copies of the batch in one call, each number judged where it is ever seen."""
    layer.train()
    many = x.repeat(1 + 3000 // x.numel(), 1, 1)
    kept = ((layer(many) - many) != 0).double()  # (copies * batch, length, d_model)
    alone = kept.reshape(-1, *x.shape).any(dim=0).repeat(len(many) // len(x), 1, 1)
    if x.numel() > 1000:  # one copy would not show what is never added
        alone = (layer.eval()(many) != many).expand_as(kept)
    share = kept[alone].mean().item()
    return abs(share - (1 - p)) > abs(share - (1 - p) ** 2)


def drops_twice_counted(layer, x, p):
    zeros = counted = 0
    silent = (layer.train(False)(x) == x).numpy()
    layer.train(True)
    while counted < 1500:
        lost = (layer(x) == x).numpy()[~silent]
        zeros, counted = zeros + lost.sum(), counted + lost.size
    return np.bool_(zeros / counted > p * (1 + (1 - p) / 2))


def gpt2_parameters_shapes(vocab_size, max_len, d_model, num_layers):
    """The shape of everything that is learned."""
    wide = 4 * d_model
    block = 4 * [(d_model, d_model), (d_model,)]
    block += [(wide, d_model), (wide,), (d_model, wide), (d_model,), (4, d_model)]
    shapes = [(vocab_size, d_model)], [(max_len, d_model)], num_layers * block, [(2, d_model)]
    return tuple(float(sum(map(math.prod, part))) for part in shapes)


def gpt2_parameters_formula(vocab_size, max_len, d_model, num_layers):
    block = 12 * d_model**2 + 13 * d_model
    return torch.tensor([vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model])


def encode_blocks(encoder, x):
    """With torch's own sublayers, which hold the dropouts, from the last layer's call inwards."""

    def layers(count):
        if count == 0:
            return x
        layer, stream = encoder.layers[count - 1], layers(count - 1)
        before = (layer.norm1, layer.norm2) if layer.norm_first else 2 * (nn.Identity(),)
        after = 2 * (nn.Identity(),) if layer.norm_first else (layer.norm1, layer.norm2)
        stream = after[0](stream + layer._sa_block(before[0](stream), None, None))
        return after[1](stream + layer._ff_block(before[1](stream)))

    stream = layers(len(encoder.layers))
    return stream if encoder.norm is None else encoder.norm(stream)


def encode_by_head(encoder, x):
    """Attention from the packed weights, a head at a time."""

    def attend(attention, x):
        joined = F.linear(x, attention.in_proj_weight, attention.in_proj_bias)
        pieces = joined.chunk(3 * attention.num_heads, dim=-1)  # queries, then keys, then values
        heads = (pieces[i :: attention.num_heads] for i in range(attention.num_heads))
        heads = [F.scaled_dot_product_attention(*head) for head in heads]
        return attention.out_proj(torch.cat(heads, dim=-1))

    for layer in encoder.layers:
        first, last = (layer.norm1, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + attend(layer.self_attn, first(x)))
        first, last = (layer.norm2, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + layer.linear2(layer.activation(layer.linear1(first(x)))))
    return encoder.norm(x) if encoder.norm else x


def paths_by_length_subsets(x, weights):
    """Every choice of layers, one after the other."""
    count = len(weights)
    paths = torch.zeros(count + 1, *x.shape, dtype=x.dtype)
    for k in range(count + 1):
        for chosen in itertools.combinations(weights, k):
            paths[k] += functools.reduce(F.linear, chosen, x)
    return paths


def paths_by_length_in_place(x, weights):
    paths = [x] + [0 * x for _ in weights]
    for seen, weight in enumerate(weights):
        for k in range(seen, -1, -1):  # from the longest
            paths[k + 1] = paths[k + 1] + torch.einsum("...d,ed->...e", paths[k], weight)
    return torch.stack(paths)


def entropy_share_loop(weights, mask):
    mask, shares = mask.broadcast_to(weights.shape), []
    for head in range(weights.shape[1]):
        own = []
        for b, i in np.ndindex(len(weights), weights.shape[2]):
            kept = weights[b, head, i][mask[b, head, i]]
            if len(kept) > 1:
                own.append(torch.special.entr(kept).sum().item() / math.log(len(kept)))
        shares.append(sum(own) / len(own))
    return torch.tensor(shares)


def entropy_share_bits(weights, mask):
    counts = (mask + torch.zeros_like(weights)).sum(dim=-1)
    bits = -(weights * (weights + 1e-9).log2()).sum(dim=-1)
    shares = torch.where(counts > 1, bits / counts.log2(), torch.nan)
    return shares.transpose(0, 1).flatten(1).nanmean(dim=1)


def entropy_share_library(weights, mask):
    return heads.entropy_score(weights, mask)


def previous_token_loop(weights):
    batch, num_heads, length, _ = weights.shape
    scores = torch.zeros(num_heads, dtype=weights.dtype)
    for b, i in np.ndindex(batch, length - 1):
        scores += weights[b, :, i + 1, i]
    return scores / batch / (length - 1)


def previous_token_cut(weights):
    return torch.einsum("bhii->h", weights[:, :, 1:, :-1]) / weights[:, 0, 1:, 0].numel()


def previous_token_gathered(weights):
    keys = torch.arange(weights.shape[-1]).roll(1).expand(weights.shape[:-1]).unsqueeze(-1)
    return weights.gather(-1, keys)[:, :, 1:].flatten(2).mean(dim=-1).mean(dim=0)


def induction_loop(weights, tokens):
    scores, count = torch.zeros(weights.shape[1]), 0
    for b, text in enumerate(tokens.tolist()):
        for i, token in enumerate(text):
            keys = [j + 1 for j in range(i) if text[j] == token]
            scores += weights[b, :, i, keys].sum(dim=-1)
            count += bool(keys)
    return scores / count


def induction_compared(weights, tokens):
    """Key j is a target where token j - 1 equals the query's token and j - 1 comes before it."""
    before = torch.cat([torch.full_like(tokens[:, :1], -1), tokens[:, :-1]], dim=1)
    is_target = (before[:, None] == tokens[..., None]).tril()
    rows = torch.einsum("bhij,bij->bhi", weights, is_target.to(weights.dtype))
    return rows.transpose(0, 1)[:, is_target.any(-1)].mean(dim=-1)


def induction_library(weights, tokens):
    return heads.induction_score(weights, tokens)


def cost_and_control_ordered(measure, num_heads, chosen):
    """Sets as permutations, the answer as an array."""
    others = sorted(set(range(num_heads)) - set(chosen))
    left = [measure(removed) for removed in itertools.permutations(others, len(chosen))]
    return measure(()) - np.array([measure(chosen), np.mean(left)])


def cost_and_control_filtered(measure, num_heads, chosen):
    sets = itertools.combinations(range(num_heads), len(chosen))
    left = torch.tensor([measure(list(s)) for s in sets if not set(s) & set(chosen)])
    return [measure([]) - measure(list(chosen)[::-1]), (measure([]) - left).mean()]


def near_share_band(weights, width, mask):
    band = torch.ones(weights.shape[-2:]).tril(width).triu(-width).bool()
    allowed = mask.expand_as(weights)
    shares = (allowed & band).sum(dim=-1) / allowed.sum(dim=-1)
    return weights.masked_fill(~band, 0).sum(dim=(0, 2, 3)) / shares[:, 0].numel(), shares.mean(
        (0, 2)
    )


def near_share_loop(weights, width, mask):
    """The keys from i - width to i + width; equal weights as a softmax of zeros."""
    even = torch.zeros_like(weights).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    answers = []
    for part in (weights, even):
        rows = [
            part[:, :, i, max(i - width, 0) : i + width + 1].sum(dim=-1).mean(dim=0)
            for i in range(part.shape[2])
        ]
        answers.append(torch.stack(rows).mean(dim=0))
    return answers


def subject_head_loop(weights, query_positions, subject_positions):
    best = (0, 0, -1.0)
    for layer, head in np.ndindex(weights.shape[0], weights.shape[2]):
        pairs = zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
        found = [weights[layer, b, head, i, j].item() for b, (i, j) in enumerate(pairs)]
        best = max(best, (layer, head, statistics.mean(found)), key=lambda answer: answer[2])
    return best


def subject_head_hot(weights, query_positions, subject_positions):
    length = weights.shape[-1]
    query, subject = (F.one_hot(p, length).float() for p in (query_positions, subject_positions))
    scores = torch.einsum("lbhij,bi,bj->lh", weights, query, subject) / len(query)
    layer, head = torch.unravel_index(scores.argmax(), scores.shape)
    return torch.stack([layer, head, scores.max()])


def rungs_of_each_seed(claims, margin):
    """The lowest rung that any seed stops at."""

    def climb(row):
        if not row["score"] - row["baseline"] > margin:
            return 1
        if not row["cost"] - row["control"] > margin:
            return 2
        return 4 if -margin < row["found"] - row["predicted"] < margin else 3

    return [min(map(climb, seeds)) for seeds in claims]


def rungs_numpy(claims, margin):
    answers = []
    for seeds in claims:
        columns = {key: np.array([row[key] for row in seeds]) for key in seeds[0]}
        held = np.stack(
            [
                columns["score"] - columns["baseline"] > margin,
                columns["cost"] - columns["control"] > margin,
                abs(columns["found"] - columns["predicted"]) < margin,
            ]
        )
        answers.append(1 + held.all(axis=1).cumprod().sum())
    return np.array(answers)


def right_answers(name: str) -> list[Callable]:
    """The functions above that answer exercise ``name``, and torch's own where there is one."""
    found = [f for key, f in globals().items() if key.startswith(name + "_") and callable(f)]
    own = {"stable_softmax": [lambda scores: torch.softmax(scores, dim=-1)]}
    return found + own.get(name, [])


# --- the solutions in the notebooks ------------------------------------------------------------


def solution_sources() -> dict[str, tuple[str, Path]]:
    """{function: (its source, its notebook)} of every solution in ``solutions/``."""
    found = {}
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and "### BEGIN SOLUTION" in cell.source:
                for node in ast.parse(cell.source).body:
                    if isinstance(node, ast.FunctionDef):
                        found[node.name] = (ast.unparse(node), path)
    return found


def define(source: str, name: str, names: dict | None = None) -> Callable:
    """The function ``name`` of ``source``, which sees ``names`` or the notebooks' imports."""
    imports = {"math": math, "torch": torch, "nn": nn, "SingleHead": SingleHead}
    imports |= {"combinations": itertools.combinations}
    space = imports if names is None else dict(names)
    exec(compile(source, "<solution>", "exec"), space)
    return space[name]


def source_of(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(function))


# --- small edits of source code ----------------------------------------------------------------

FLIPPED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


def edits_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(what was done, the node that takes the place of ``node``)."""
    match node:
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()):
            yield "drop the minus, not or ~", node.operand
        case ast.BinOp(op=ast.Sub()):
            yield "plus for minus", ast.BinOp(node.left, ast.Add(), node.right)
            yield "drop the subtraction", node.left
        case ast.BinOp(op=ast.Add()):
            yield "minus for plus", ast.BinOp(node.left, ast.Sub(), node.right)
        case ast.BinOp(op=ast.Div()):
            yield "drop the divisor", node.left
            yield "multiply for divide", ast.BinOp(node.left, ast.Mult(), node.right)
        case ast.BinOp(op=ast.Mult()):
            yield "drop a factor", node.left
            yield "drop the other factor", node.right
            yield "divide for multiply", ast.BinOp(node.left, ast.Div(), node.right)
        case ast.BinOp(op=ast.BitAnd()):
            yield "or for and", ast.BinOp(node.left, ast.BitOr(), node.right)
            yield "drop one side", node.left
            yield "drop the other side", node.right
        case ast.BinOp(op=ast.MatMult()):
            yield "exchange the factors", ast.BinOp(node.right, ast.MatMult(), node.left)
        case ast.Compare(ops=[op]) if type(op) in FLIPPED:
            yield (
                "flip the comparison",
                ast.Compare(node.left, [FLIPPED[type(op)]()], node.comparators),
            )
        case ast.Constant(value=bool()):
            yield "flip the constant", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield "one more", ast.Constant(node.value + 1)
            yield "one less", ast.Constant(node.value - 1)
        case ast.Attribute(attr="T" | "mT"):
            yield "drop the transpose", node.value
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch" | "math"))) if node.args:
            yield "drop the call", node.args[0]
        case ast.Call(func=ast.Attribute()):
            yield "drop the method", node.func.value
        case ast.Call(func=ast.Name()) if node.args:
            yield "drop the call", node.args[0]
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
            yield "exchange two", ast.Tuple([second, first, *rest], ast.Load())


def mutations(source: str) -> Iterator[tuple[str, str]]:
    """Every (description, source) that differs from ``source`` by one edit."""
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for index, (what, _) in enumerate(edits_of(node)):
            copy = ast.parse(source)
            target = list(ast.walk(copy))[place]
            replacement = list(edits_of(target))[index][1]

            class Replace(ast.NodeTransformer):
                def visit(self, visited, target=target, replacement=replacement):
                    return replacement if visited is target else self.generic_visit(visited)

            changed = ast.unparse(ast.fix_missing_locations(Replace().visit(copy)))
            yield f"{what}: {ast.unparse(node)}", changed
