"""Answers to MyHeads (lesson 03, exercise 1), right and wrong, as students write them."""

import copy

import torch
from torch import nn

from course_lib import SingleHead


# right
class AsInTheLesson(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        head_dim = d_model // num_heads
        self.heads = nn.ModuleList(
            SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs = [head(x)[0] for head in self.heads]
        weights = [head(x)[1] for head in self.heads]
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, 1)


# right
class StackedAndMoved(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        heads = [SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)]
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        outputs, weights = zip(*(head(x) for head in self.heads))
        joined = torch.stack(outputs).permute(1, 2, 0, 3)  # (batch, seq_len, num_heads, head_dim)
        return self.out_proj(joined.flatten(2)), torch.stack(weights).transpose(0, 1)


# wrong: a plain list of heads
# named: plain_list
class PlainList(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = []
        for _ in range(num_heads):
            self.heads.append(SingleHead(d_model, d_model // num_heads, bias=False))
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# wrong: one seed for all heads
# named: clones
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


# wrong: copies of one head
# named: clones
class Copies(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        head = SingleHead(d_model, d_model // num_heads, bias=False)
        self.heads = nn.ModuleList([copy.deepcopy(head) for _ in range(num_heads)])
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# wrong: one head several times
# named: repeated_module
class OneHeadManyTimes(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            [SingleHead(d_model, d_model // num_heads, bias=False)] * num_heads
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# wrong: without W_O
# named: no_out_proj
class JoinedOnly(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)


# wrong: makes out_proj and forgets to call it
# named: out_proj_unused
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


# wrong: stacks the heads and reshapes
# named: reshaped
class Reshaped(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        joined = torch.stack(outputs, dim=1).reshape(x.shape)
        return self.out_proj(joined), torch.stack(weights, dim=1)


# wrong: each head gets a slice of the features
# named: features_shared_out
class Slices(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.size = d_model // num_heads
        self.heads = nn.ModuleList(
            SingleHead(self.size, self.size, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        parts = x.split(self.size, dim=-1)
        outputs, weights = zip(*[head(part) for head, part in zip(self.heads, parts)])
        return self.out_proj(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# wrong: heads as wide as the model
# named: heads_of_full_width
class FullWidth(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(sum(outputs)), torch.stack(weights, dim=1)


# wrong: averages the weights of the heads
# named: weights_averaged
class MeanWeights(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        outputs, weights = zip(*[head(x) for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), sum(weights) / len(weights)


# wrong: the outputs of the heads are added, not joined
# named: added
class HeadsAdded(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        joined = sum(o for o, _ in pairs).repeat(1, 1, len(self.heads))
        return self.out_proj(joined), torch.stack([w for _, w in pairs], dim=1)


# wrong: the mean of the heads' weights
# named: weights_averaged
class MeanOfWeights(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        return self.out_proj(torch.cat([o for o, _ in pairs], -1)), torch.stack(
            [w for _, w in pairs], 1
        ).mean(1, keepdim=True)


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
