"""Answers to MyHead (lesson 02, exercise 6), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import SingleHead


# right
class AsInTheLesson(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.d_k = head_dim
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        q = self.q_proj(x)
        k = self.k_proj(x)
        v = self.v_proj(x)
        att = F.softmax(q @ k.transpose(-2, -1) / self.d_k**0.5, dim=-1)
        return att @ v, att


# right
class WithParameters(nn.Module):
    """Its own layer in place of nn.Linear, with the same parameter."""

    class Matrix(nn.Module):
        def __init__(self, d_model, head_dim):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(head_dim, d_model) / math.sqrt(d_model))

        def forward(self, x):
            return torch.matmul(x, self.weight.t())

    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (self.Matrix(d_model, head_dim) for _ in range(3))

    def forward(self, x):
        scores = self.q_proj(x).matmul(self.k_proj(x).mT) / math.sqrt(self.q_proj.weight.shape[0])
        weights = scores.softmax(-1)
        return torch.matmul(weights, self.v_proj(x)), weights


# wrong: hands everything to the course's own head
# named: forbidden
class OfTheCourse(SingleHead):
    def __init__(self, d_model, head_dim):
        super().__init__(d_model, head_dim, bias=False)


# wrong: plain tensors, which no optimiser finds
# named: not_registered
class PlainTensors(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.w_q = torch.randn(head_dim, d_model, requires_grad=True)
        self.w_k = torch.randn(head_dim, d_model, requires_grad=True)
        self.w_v = torch.randn(head_dim, d_model, requires_grad=True)

    def forward(self, x):
        q, k, v = x @ self.w_q.T, x @ self.w_k.T, x @ self.w_v.T
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v, weights


# wrong: makes new layers in each forward
# named: not_registered
class LayersInForward(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.sizes = d_model, head_dim

    def forward(self, x):
        q, k, v = (nn.Linear(*self.sizes, bias=False)(x) for _ in range(3))
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v, weights


# wrong: leaves the bias on
# named: with_bias
class BiasLeftOn(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim)
        self.k_proj = nn.Linear(d_model, head_dim)
        self.v_proj = nn.Linear(d_model, head_dim)

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v, weights


# wrong: no scale
# named: no_scale
class Unscaled(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        weights = torch.softmax(self.q_proj(x) @ self.k_proj(x).mT, dim=-1)
        return weights @ self.v_proj(x), weights


# wrong: divides by the root of d_model
# named: scaled_by_d_model
class ScaledByDModel(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.scale = d_model**-0.5
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        weights = (self.q_proj(x) @ self.k_proj(x).mT * self.scale).softmax(dim=-1)
        return weights @ self.v_proj(x), weights


# wrong: the softmax without a dimension that counts from the end
# named: dimension_one
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


# wrong: one layer for all three
# named: one_projection
class OneLayer(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        proj = nn.Linear(d_model, head_dim, bias=False)
        self.q_proj, self.k_proj, self.v_proj = proj, proj, proj

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v, weights


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


# wrong: one Linear shared as key and value
# named: two_are_one
class KeyIsValue(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
        return w @ v, w


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
