"""Answers to sinusoidal_positions (lesson 07, exercise 1), right and wrong, as students write them."""

import math

import numpy as np
import torch
from torch import nn

from course_lib.attention.positions import sinusoidal_table


# right
def loop(length, d_model):
    table = torch.zeros(length, d_model)
    for p, feature in np.ndindex(length, d_model):
        angle = p / 10000 ** (feature // 2 * 2 / d_model)
        table[p, feature] = math.cos(angle) if feature % 2 else math.sin(angle)
    return table


# right
def by_filled(length, d_model):
    """As in much code: exp of a logarithm, and two slices that are filled."""
    speeds = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(torch.arange(0, length).float().unsqueeze(1) * speeds)
    table[:, 1::2] = torch.cos(torch.arange(0, length).float().unsqueeze(1) * speeds)
    return table


# right
def shifted(length, d_model):
    """A cosine is a sine a quarter of a turn ahead."""
    feature = torch.arange(d_model, dtype=torch.float64)
    speeds = 10000 ** (-(feature - feature % 2) / d_model)
    return torch.sin(torch.outer(torch.arange(length), speeds) + feature % 2 * math.pi / 2).float()


# wrong: a learned table of random numbers instead of waves
# named: answers_vary
def first_place_random(length, d_model):
    return nn.Embedding(length, d_model).weight.detach()


# wrong: the table is float64
# named: dtype
# points: 5
def float64(length, d_model):
    places = torch.arange(length, dtype=torch.float64)[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the angles are computed in half precision, which cannot count beyond 2048
# named: too_coarse
def half_precision_angles(length, d_model):
    places = torch.arange(length).half()[:, None]
    angles = places * (10000 ** (-torch.arange(0, d_model, 2).float() / d_model)).half()
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()


# wrong: the loop stops before the last pair, which stays 0
# named: last_pair_missing
# points: 3
def last_pair_missing(length, d_model):
    table = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(0, max(d_model - 2, 2), 2):
            table[p, i] = math.sin(p / 10000 ** (i / d_model))
            table[p, i + 1] = math.cos(p / 10000 ** (i / d_model))
    return table


# wrong: calls the course's own function
# named: forbidden
def library(length, d_model):
    return sinusoidal_table(length, d_model)


# wrong: a table of 64 places, which is cut
# named: table_ends
def table_of_64(length, d_model):
    places = torch.arange(64).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)[:length]


# wrong: exponents off by one
# named: odd_exponents
def exponents_off_by_one(length, d_model):
    table = torch.zeros(length, d_model)
    place = torch.arange(length).float()
    for i in range(0, d_model, 2):
        angle = place / 10000 ** ((i + 1) / d_model)
        table[:, i], table[:, i + 1] = torch.sin(angle), torch.cos(angle)
    return table


# other inputs
def other_inputs(generator):
    yield from ((4, 6), (9, 2), (3, 10), (30, 6))
