"""Answers to MyHead (lesson 02, exercise 6), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import SingleHead


# right
class einsum(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        for name in ("q_proj", "k_proj", "v_proj"):
            self.add_module(name, nn.Linear(d_model, head_dim, bias=False))

    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.q_proj(x), self.k_proj(x))
        weights = (scores * self.q_proj.out_features**-0.5).softmax(-1)
        return torch.einsum("...ij,...jd->...id", weights, self.v_proj(x)), weights


# right
class sdpa(nn.Module):
    def __init__(self, d_model, head_dim):
        nn.Module.__init__(self)
        self.v_proj, self.k_proj, self.q_proj = (
            nn.Linear(d_model, head_dim, bias=False) for _ in range(3)
        )

    def forward(self, x):
        query, key, value = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
        return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]


# wrong: hands everything to the course's own head
# named: forbidden
class OfTheCourse(SingleHead):
    def __init__(self, d_model, head_dim):
        super().__init__(d_model, head_dim, bias=False)


# wrong: returns the output alone
# named: output_alone
class OutputAlone(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        return F.scaled_dot_product_attention(self.q_proj(x), self.k_proj(x), self.v_proj(x))


# wrong: subtracts the mean from x in place
# named: changes_input
class InPlace(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        q, k = self.q_proj(x), self.k_proj(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        v = self.v_proj(x)
        x -= x.mean(dim=-1, keepdim=True)
        return weights @ v, weights


# wrong: the softmax without a dimension that counts from the end
# named: dimension_one
# points: 4
class DimensionOne(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        weights = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1]), dim=1)
        return weights @ v, weights


# wrong: exponentials of the scores as they are
# named: overflows
class ExpOfScores(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (
            nn.Linear(d_model, head_dim, bias=False) for _ in range(3)
        )

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        e = torch.exp(q @ k.mT / math.sqrt(k.shape[-1]))
        weights = e / e.sum(dim=-1, keepdim=True)
        return weights @ v, weights


# wrong: keeps the length of the first text
class LengthOfTheFirst(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (
            nn.Linear(d_model, head_dim, bias=False) for _ in range(3)
        )
        self.length = None

    def forward(self, x):
        self.length = self.length or x.shape[-2]
        q, k, v = (m(x)[..., : self.length, :] for m in (self.q_proj, self.k_proj, self.v_proj))
        weights = (q @ k.mT / math.sqrt(k.shape[-1])).softmax(dim=-1)
        return weights @ v, weights


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, head_dim in (((4, 4), 4), ((2, 5, 3), 6), ((2, 7), 2)):
        numbers = tuple(randn(head_dim, shape[-1]) / 2 for _ in range(3))
        yield shape[-1], head_dim, numbers, randn(*shape), True
