"""Answers to stay_identical (lesson 03, exercise 5), right and wrong, as students write them."""

import functools
import itertools

import torch
from torch import nn

from course_lib import SingleHead


# right
def argued(heads, out_proj, x):
    owned = [nn.utils.parameters_to_vector(head.parameters()) for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.equal(part[0], other) for part in (owned, blocks) for other in part)


# right
def trained(heads, out_proj, x):
    parameters = [*heads.parameters(), out_proj.weight]
    for _ in range(3):
        output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
        slopes = torch.autograd.grad((output - torch.sin(5 * x)).pow(2).mean(), parameters)
        for parameter, slope in zip(parameters, slopes, strict=True):
            parameter.data -= 0.1 * slope
    flat = torch.stack([nn.utils.parameters_to_vector(head.parameters()) for head in heads])
    return (flat - flat[0]).abs().max() < 1e-5


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


# wrong: compares outputs and blocks, and heads with other weights can have the same output
# named: cancelling_signs
def outputs_and_blocks(heads, out_proj, x):
    outputs = [head(x)[0] for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_outputs = all(torch.allclose(outputs[0], o, atol=1e-5) for o in outputs)
    return same_outputs and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# wrong: looks at the query projections only
# named: one_projection_only
# points: 4
def q_proj_only(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.allclose(h.q_proj.weight, heads[0].q_proj.weight) for h in heads) and all(
        torch.allclose(b, blocks[0]) for b in blocks
    )


# wrong: compares blocks of rows of out_proj instead of columns
# named: rows_of_w_out
def row_blocks_2(heads, out_proj, x):
    same = all(
        torch.allclose(p, q) for h in heads for p, q in zip(heads[0].parameters(), h.parameters())
    )
    blocks = out_proj.weight.chunk(len(heads), dim=0)
    return same and all(torch.allclose(blocks[0], b) for b in blocks)


# wrong: compares the sums of the weights
# named: sums_compared
def sums_of_the_weights(heads, out_proj, x):
    sums = [sum(p.sum().item() for p in head.parameters()) for head in heads]
    blocks = [b.sum().item() for b in out_proj.weight.chunk(len(heads), dim=1)]
    return max(sums) - min(sums) < 1e-4 and max(blocks) - min(blocks) < 1e-4


# wrong: compares the heads' weights only, not the blocks of out_proj
# named: heads_only
# points: 2
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


# wrong: compares the sums of the columns of W_O
# named: sum_as_loss
def sums_of_the_columns(heads, out_proj, x):
    w = [b.sum(0) for b in out_proj.weight.chunk(len(heads), 1)]
    return all(torch.allclose(w[0], b, atol=1e-5) for b in w) and all(
        torch.equal(p, q) for h in heads for p, q in zip(heads[0].parameters(), h.parameters())
    )


# wrong: compares gradients before there are any
# says: until backward() has run
def no_backward(heads, out_proj, x):
    return torch.allclose(heads[0].q_proj.weight.grad, heads[1].q_proj.weight.grad)


# wrong: joins pairs of output and weights
# says: Take the first, [0]
def heads_return_two(heads, out_proj, x):
    return bool(out_proj(torch.cat([head(x) for head in heads], dim=-1)).sum() > 0)


# wrong: heads 0 and 1, and all blocks
# named: first_two_only
def two_heads_and_all_blocks(heads, out_proj, x):
    pairs = zip(heads[0].parameters(), heads[1].parameters())
    same = all(torch.allclose(a, b, atol=1e-5) for a, b in pairs)
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return same and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)


# other inputs
def clones(randn):
    """Three heads, their W_O and an input, for the student's test of whether they stay equal."""
    for heads_alike in (True, False):
        for change in ("nothing", "the last block", "the order in a block", "all to zero"):
            heads = torch.nn.ModuleList(SingleHead(4, 2, bias=False) for _ in range(3))
            out_proj = torch.nn.Linear(6, 4, bias=False)
            with torch.no_grad():
                for parameter in heads.parameters():
                    parameter.copy_(randn(*parameter.shape))
                out_proj.weight.copy_(randn(4, 2).repeat(1, 3))
                if change == "the last block":
                    out_proj.weight[:, 4:] += 1
                if change == "the order in a block":
                    out_proj.weight[:, 2:4] = out_proj.weight[:, :2].flip(0)
                if change == "all to zero":
                    out_proj.weight.zero_()
            if heads_alike:
                for head in heads[1:]:
                    head.load_state_dict(heads[0].state_dict())
            yield heads, out_proj, randn(2, 3, 4)


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from clones(randn)
