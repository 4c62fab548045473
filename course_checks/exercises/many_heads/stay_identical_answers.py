"""Answers to stay_identical (lesson 03, exercise 5), right and wrong, as students write them."""

import itertools

import numpy as np
import torch
from torch import nn


# wrong: says that heads never stay the same
# named: rejects_everything
def always_false(heads, out_proj, x):
    return False


# wrong: any pair of equal heads is enough
# named: any_pair
def any_pair(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)

    def same(i, j):
        pairs = zip(heads[i].parameters(), heads[j].parameters())
        return all(torch.allclose(p, q, atol=1e-5) for p, q in pairs) and torch.allclose(
            blocks[i], blocks[j], atol=1e-5
        )

    return any(same(i, j) for i, j in itertools.combinations(range(len(heads)), 2))


# wrong: compares the attention maps and the blocks, and not the values
# named: maps_compared
def attention_maps_compared(heads, out_proj, x):
    maps = [head(x)[1] for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_maps = all(torch.allclose(maps[0], m, atol=1e-5) for m in maps)
    return same_maps and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# wrong: compares the blocks of out_proj and not the heads
# named: w_out_only
def blocks_only(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.allclose(blocks[0], block, atol=1e-5) for block in blocks)


# wrong: takes every num_heads-th column as the block of a head
# named: rejects_everything
def columns_interleaved(heads, out_proj, x):
    n = len(heads)
    same_heads = all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )
    blocks = [out_proj.weight[:, i::n] for i in range(n)]
    return same_heads and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# wrong: compares the gradients and never the weights
# named: gradients_only
def equal_gradients_only(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = [p.grad for p in heads[0].parameters()]
    return all(
        torch.allclose(g, p.grad, atol=1e-5)
        for head in heads
        for g, p in zip(first, head.parameters())
    )


# wrong: compares the first two heads and blocks only
# named: first_two_only
def first_two(heads, out_proj, x):
    d = out_proj.weight.shape[1] // len(heads)
    w = out_proj.weight
    same = all(torch.allclose(a, b) for a, b in zip(heads[0].parameters(), heads[1].parameters()))
    return same and torch.allclose(w[:, :d], w[:, d : 2 * d])


# wrong: compares heads 0 and 1 only
# named: first_two_only
def first_two_heads(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    pairs = zip(heads[0].parameters(), heads[1].parameters())
    same = all(torch.allclose(p, q, atol=1e-5) for p, q in pairs)
    return same and torch.allclose(blocks[0], blocks[1], atol=1e-5)


# right
def flat(heads, out_proj, x):
    blocks = out_proj.weight.detach().unflatten(1, (len(heads), -1))
    flat = [
        torch.cat(
            [p.detach().flatten() for _, p in sorted(h.named_parameters())]
            + [blocks[:, i].flatten()]
        )
        for i, h in enumerate(heads)
    ]
    return all((f - flat[0]).abs().max().item() < 1e-5 for f in flat)


# wrong: a tolerance of 0.1
# named: too_loose
def generous_tolerance(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same = all(
        torch.allclose(p, q, atol=0.1)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )
    return same and all(torch.allclose(blocks[0], b, atol=0.1) for b in blocks)


# wrong: compares gradients and forgets that the weights may already differ
def gradients_only(heads, out_proj, x):
    out = out_proj(torch.cat([h(x)[0] for h in heads], dim=-1))
    (out * torch.randn_like(out)).sum().backward()
    g = [h.v_proj.weight.grad for h in heads]
    return all(torch.allclose(g[0], other, atol=1e-5) for other in g)


# wrong: compares the heads and not the blocks of out_proj
# named: heads_only
def heads_only(heads, out_proj, x):
    first = heads[0].state_dict()
    return all(
        torch.allclose(first[name], weight, atol=1e-5)
        for head in heads
        for name, weight in head.state_dict().items()
    )


# wrong: compares the heads and forgets the blocks of out_proj
# named: heads_only
def heads_only_2(heads, out_proj, x):
    first = list(heads[0].parameters())
    return all(
        torch.allclose(a, b, atol=1e-5) for h in heads for a, b in zip(first, h.parameters())
    )


# wrong: one of the two is enough
# named: one_of_both
def heads_or_blocks(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_blocks = all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
    first = heads[0]
    same_heads = all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(first.parameters(), head.parameters())
    )
    return same_heads or same_blocks


# wrong: measures the gradients at an input of zeros, where all are zero
# named: heads_only
def input_of_zeros(heads, out_proj, x):
    output = out_proj(torch.cat([head(torch.zeros_like(x))[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = list(heads[0].parameters())
    return all(
        torch.allclose(p, q, atol=1e-5) and torch.allclose(p.grad, q.grad, atol=1e-5)
        for head in heads
        for p, q in zip(first, head.parameters())
    )


# wrong: looks at the first two heads and blocks only
# named: first_two_only
def neighbours_first(heads, out_proj, x):
    a, b = heads[0], heads[1]
    c = out_proj.weight.chunk(len(heads), dim=1)
    return torch.allclose(c[0], c[1]) and all(
        torch.allclose(p, q) for p, q in zip(a.parameters(), b.parameters())
    )


# wrong: takes one step of 1e-6 and compares loosely, so nothing has moved yet
# not named yet: heads_only
def one_small_step(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    output.square().mean().backward()
    with torch.no_grad():
        for p in heads.parameters():
            p -= 1e-6 * p.grad
    return all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )


# wrong: says True when all outputs of the layer are equal for all tokens
# named: heads_only
def output_features_compared(heads, out_proj, x):
    outputs = [head(x)[0] for head in heads]
    return all(torch.allclose(outputs[0], o, atol=1e-5) for o in outputs)


# wrong: compares outputs and blocks, and heads with other weights can have the same output
# named: cancelling_signs
def outputs_and_blocks(heads, out_proj, x):
    outputs = [head(x)[0] for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_outputs = all(torch.allclose(outputs[0], o, atol=1e-5) for o in outputs)
    return same_outputs and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# wrong: compares the outputs of the heads now and the norms of the blocks, which equal norms do not make equal
def outputs_now(heads, out_proj, x):
    outs = [h(x)[0] for h in heads]
    norms = torch.stack([b.norm() for b in out_proj.weight.chunk(len(heads), dim=1)])
    return all(torch.allclose(o, outs[0], atol=1e-5) for o in outs) and torch.allclose(
        norms, norms[0].expand_as(norms)
    )


# wrong: compares only what the heads say about this x
# named: heads_only
def outputs_only(heads, out_proj, x):
    with torch.no_grad():
        outs = [head(x)[0] for head in heads]
    return all(torch.allclose(outs[0], o, atol=1e-5) for o in outs)


# right
def parameter_vectors(heads, out_proj, x):
    n = len(heads)
    rows = [
        torch.cat((nn.utils.parameters_to_vector(h.parameters()), block.flatten()))
        for h, block in zip(heads, out_proj.weight.unflatten(1, (n, -1)).unbind(1))
    ]
    table = torch.stack(rows).detach()
    return bool((table - table[:1]).abs().max() < 1e-6)


# wrong: output.sum() as the loss, which sees only the column sums of the blocks
# named: sum_as_loss
def plain_sum_as_loss(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    output.sum().backward()
    first = list(heads[0].parameters())
    return all(
        torch.allclose(p, q, atol=1e-5) and torch.allclose(p.grad, q.grad, atol=1e-5)
        for head in heads
        for p, q in zip(first, head.parameters())
    )


# wrong: looks at the query projections only
# named: one_projection_only
def q_proj_only(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.allclose(h.q_proj.weight, heads[0].q_proj.weight) for h in heads) and all(
        torch.allclose(b, blocks[0]) for b in blocks
    )


# wrong: compares the query projections and the blocks
# named: one_projection_only
def queries_only(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    first = heads[0].q_proj.weight
    same = all(torch.allclose(first, head.q_proj.weight, atol=1e-5) for head in heads)
    return same and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# right
def random_loss(heads, out_proj, x):
    for h in heads:
        for a, b in zip(heads[0].parameters(), h.parameters()):
            if not torch.allclose(a, b, atol=1e-6):
                return False
    heads.zero_grad()
    out = out_proj(torch.cat([h(x)[0] for h in heads], dim=-1))
    (out * torch.randn_like(out)).sum().backward()
    grads = [torch.cat([p.grad.flatten() for p in h.parameters()]) for h in heads]
    size = grads[0].abs().max()
    return all(bool((g - grads[0]).abs().max() <= 1e-4 * size + 1e-6) for g in grads)


# right
def right_gradients_measured(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    for head in heads[1:]:
        for p, q in zip(heads[0].parameters(), head.parameters()):
            if not torch.allclose(p, q, atol=1e-5):
                return False
            if not torch.allclose(p.grad, q.grad, atol=1e-5):
                return False
    return True


# right
def right_numpy_comparison(heads, out_proj, x):
    first = {name: value.numpy() for name, value in heads[0].state_dict().items()}
    for head in heads:
        for name, value in head.state_dict().items():
            if not np.allclose(first[name], value.numpy(), atol=1e-6):
                return False
    w = out_proj.weight.detach().numpy()
    w = w.reshape(w.shape[0], len(heads), -1)
    return bool(np.abs(w - w[:, :1]).max() < 1e-6)


# right
def right_trained_a_little(heads, out_proj, x):
    parameters = [*heads.parameters(), *out_proj.parameters()]
    target = torch.randn(*x.shape[:-1], out_proj.weight.shape[0])
    for _ in range(5):
        for head in heads[1:]:
            for p, q in zip(heads[0].parameters(), head.parameters()):
                if (p - q).abs().max() > 1e-5:
                    return False
        output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
        loss = ((output - target) ** 2).sum()
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, g in zip(parameters, gradients):
                p -= 0.1 * g / (1 + g.abs().max())
    return True


# right
def right_weights_compared(heads, out_proj, x):
    vectors = []
    for head, block in zip(heads, out_proj.weight.chunk(len(heads), dim=1)):
        vectors.append(torch.cat([*(p.flatten() for p in head.parameters()), block.flatten()]))
    spread = torch.stack(vectors).max(dim=0).values - torch.stack(vectors).min(dim=0).values
    return bool(spread.max() < 1e-5)


# wrong: compares blocks of rows of out_proj.weight instead of blocks of columns
# named: rows_of_w_out
def row_blocks(heads, out_proj, x):
    same = all(
        torch.allclose(a, b) for h in heads for a, b in zip(heads[0].parameters(), h.parameters())
    )
    blocks = out_proj.weight.chunk(len(heads), dim=0)
    return same and all(b.shape == blocks[0].shape and torch.allclose(b, blocks[0]) for b in blocks)


# wrong: compares blocks of rows of out_proj instead of columns
# named: rows_of_w_out
def row_blocks_2(heads, out_proj, x):
    same = all(
        torch.allclose(p, q) for h in heads for p, q in zip(heads[0].parameters(), h.parameters())
    )
    blocks = out_proj.weight.chunk(len(heads), dim=0)
    return same and all(torch.allclose(blocks[0], b) for b in blocks)


# wrong: compares blocks of rows of out_proj
# named: rows_of_w_out
def rows_of_out_proj(heads, out_proj, x):
    rows = out_proj.weight.chunk(len(heads), dim=0)
    same_rows = all(r.shape == rows[0].shape and torch.allclose(rows[0], r) for r in rows)
    first = list(heads[0].parameters())
    same_heads = all(
        torch.allclose(p, q) for head in heads for p, q in zip(first, head.parameters())
    )
    return same_rows and same_heads


# wrong: asks whether the heads are one and the same object
# named: rejects_everything
def same_object(heads, out_proj, x):
    return all(head is heads[0] for head in heads)


# wrong: compares weights and gradients under the loss output.sum(), which sees only the column sums of the blocks
# named: sum_as_loss
def sum_loss(heads, out_proj, x):
    out_proj(torch.cat([h(x)[0] for h in heads], dim=-1)).sum().backward()
    for h in heads:
        for a, b in zip(heads[0].parameters(), h.parameters()):
            if not torch.allclose(a, b, atol=1e-5) or not torch.allclose(a.grad, b.grad, atol=1e-5):
                return False
    return True


# wrong: compares the sums of the weights
# named: sums_compared
def sums_of_the_weights(heads, out_proj, x):
    sums = [sum(p.sum().item() for p in head.parameters()) for head in heads]
    blocks = [b.sum().item() for b in out_proj.weight.chunk(len(heads), dim=1)]
    return max(sums) - min(sums) < 1e-4 and max(blocks) - min(blocks) < 1e-4


# wrong: compares weights and gradients of v_proj only
# named: cancelling_signs
def values_gradient_only(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = heads[0].v_proj.weight
    return all(
        torch.allclose(first, h.v_proj.weight, atol=1e-5)
        and torch.allclose(first.grad, h.v_proj.weight.grad, atol=1e-5)
        for h in heads
    )


# wrong: compares the heads' weights only, not the blocks of out_proj
# named: heads_only
def weights_only(heads, out_proj, x):
    first = list(heads[0].parameters())
    return all(torch.allclose(a, b) for h in heads for a, b in zip(first, h.parameters()))


# wrong: neighbours at even places only are compared (0 with 1, 2 with 3)
# named: in_pairs
def two_by_two(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    for i in range(0, len(heads) - 1, 2):
        for a, b in zip(heads[i].parameters(), heads[i + 1].parameters()):
            if not torch.allclose(a, b, atol=1e-5):
                return False
        if not torch.allclose(blocks[i], blocks[i + 1], atol=1e-5):
            return False
    return True


# wrong: compares the first head with the last one only
def first_and_last_head(heads, out_proj, x):
    a, b = heads[0], heads[-1]
    w = out_proj.weight.chunk(len(heads), 1)
    return all(torch.equal(p, q) for p, q in zip(a.parameters(), b.parameters())) and torch.equal(
        w[0], w[-1]
    )


# wrong: compares the sums of the columns of W_O
# named: sum_as_loss
def sums_of_the_columns(heads, out_proj, x):
    w = [b.sum(0) for b in out_proj.weight.chunk(len(heads), 1)]
    return all(torch.allclose(w[0], b, atol=1e-5) for b in w) and all(
        torch.equal(p, q) for h in heads for p, q in zip(heads[0].parameters(), h.parameters())
    )


# wrong: heads 0 and 1, and all blocks
# named: first_two_only
def two_heads_and_all_blocks(heads, out_proj, x):
    pairs = zip(heads[0].parameters(), heads[1].parameters())
    same = all(torch.allclose(a, b, atol=1e-5) for a, b in pairs)
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return same and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
