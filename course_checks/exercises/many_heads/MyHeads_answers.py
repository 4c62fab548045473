"""Answers to MyHeads (lesson 03, exercise 1), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from course_checks.exercises.many_heads.MyHeads import MyHeads
from course_checks.exercises.single_head.MyHead import MyHead
from course_lib import SingleHead


# right
def joined_in_a_loop(heads):
    count, size = len(heads), heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], count * size)
    for i in range(count):
        joined[..., i * size : (i + 1) * size] = heads[i]
    return joined


class loop(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(SingleHead(d_model, d_model // num_heads, bias=False))

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            output, own = head(x)
            outputs.append(output)
            weights.append(own[:, None])
        return self.out_proj(joined_in_a_loop(torch.stack(outputs))), torch.cat(weights, dim=1)


# right
class by_sum(nn.Module):
    """What each head adds through its own block of W_O."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        answers = [head(x) for head in self.heads]
        blocks = self.out_proj.weight.chunk(len(self.heads), dim=1)
        output = sum(F.linear(out, block) for (out, _), block in zip(answers, blocks, strict=True))
        return output, torch.stack([weights for _, weights in answers]).transpose(0, 1)


# wrong: one seed for all heads
# named: clones
# points: 5
class OneSeed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            torch.manual_seed(0)
            self.heads.append(SingleHead(d_model, d_model // num_heads, bias=False))
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# wrong: passes a tensor to torch.cat
# says: take a list of tensors
class of_one_tensor(MyHeads):
    def forward(self, x):
        outputs = torch.stack([head(x)[0] for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), outputs


# wrong: does not call super().__init__()
# says: must be the first line of your __init__
class without_super(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        self.out_proj = torch.nn.Linear(d_model, d_model, bias=False)


# wrong: an object in place of the class
# says: takes the class itself
an_object = MyHead(4, 2)


# wrong: makes out_proj and forgets to call it
# named: out_proj_unused
# points: 3
class ForgetsOutProj(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return torch.cat(outputs, dim=2), torch.stack(weights, dim=1)


# wrong: the last head first
# named: heads_reversed
class LastHeadFirst(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        dim = d_model // num_heads
        self.heads = nn.ModuleList(SingleHead(d_model, dim, bias=False) for _ in range(num_heads))
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        joined = torch.cat(outputs[::-1], dim=-1)
        return self.out_proj(joined), torch.stack(weights, dim=1)


# wrong: adds x
# named: residual
class AddsX(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        dim = d_model // num_heads
        self.heads = nn.ModuleList(SingleHead(d_model, dim, bias=False) for _ in range(num_heads))
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        return x + self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, length, d_model, num_heads in ((2, 2, 4, 2), (1, 4, 6, 3), (3, 2, 4, 4)):
        of_heads = [(d_model // num_heads, d_model)] * 3 * num_heads
        numbers = tuple(randn(*shape) / 2 for shape in (*of_heads, (d_model, d_model)))
        yield d_model, num_heads, numbers, randn(batch, length, d_model), True
