"""Answers to sinusoidal_positions (lesson 07, exercise 1), right and wrong, as students write them."""

import math

import numpy as np
import torch
from torch import nn

from course_lib import SinusoidalPositions
from course_lib.attention.positions import sinusoidal_table


# wrong: 1000 instead of 10000
# named: base_1000
def base_1000(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 1000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: exp instead of powers of 10000
# named: base_e
def base_e(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * torch.exp(-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: returns (1, length, d_model) for a batch, as the tutorials do
# named: with_batch
def batch_axis(length, d_model):
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(1, length, d_model)
    pe[0, :, 0::2] = torch.sin(position * div_term)
    pe[0, :, 1::2] = torch.cos(position * div_term)
    return pe


# wrong: (1, length, d_model) as in many tutorials
# named: with_batch
def batch_of_one(length, d_model):
    table = torch.zeros(length, d_model)
    places = torch.arange(length).float().unsqueeze(1)
    speeds = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(places * speeds)
    table[:, 1::2] = torch.cos(places * speeds)
    return table.unsqueeze(0)


# wrong: all sines in front, all cosines behind
# named: halves
def cat(length, d_model):
    places = torch.arange(length).float()[:, None]
    speeds = 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.cat([torch.sin(places * speeds), torch.cos(places * speeds)], dim=-1)


# wrong: all sines first, then all cosines
# named: halves
def cat_halves(length, d_model):
    speeds = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(length)[:, None] * speeds
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


# right
def complex_2(length, d_model):
    rate = torch.logspace(0, -4, d_model // 2 + 1, dtype=torch.float64)[:-1]
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rate
    turned = torch.view_as_real(torch.polar(torch.ones_like(angles), angles))
    return turned.flip(-1).reshape(length, d_model).float()


# right
def complex_numbers(length, d_model):
    speeds = 10000 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), speeds)
    turned = torch.view_as_real(torch.polar(torch.ones_like(angles), angles))
    return turned.flip(-1).reshape(length, d_model).float()


# right
def cosine_as_shifted_sine(length, d_model):
    speeds = (10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)).repeat_interleave(2)
    shift = torch.tensor([0, math.pi / 2], dtype=torch.float64).repeat(d_model // 2)
    return torch.sin(torch.arange(length).double()[:, None] * speeds + shift).to(torch.float32)


# wrong: the cosine stands in the even features
# named: cosine_first
def cosine_first(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(-2)


# wrong: the exponent is divided by 64, the d_model of an example
def d_model_of_the_example(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / 64)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the angles are taken for degrees
# named: degrees
def degrees(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    angles = torch.deg2rad(angles)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the 2 of 2i counts twice
# named: twice_as_far
def double_exponent(length, d_model):
    places = torch.arange(length).float()[:, None]
    i = torch.arange(0, d_model, 2).float()
    angles = places * 10000 ** (-2 * i / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# right
def double_loop(length, d_model):
    table = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(d_model // 2):
            angle = p * 10000 ** (-2 * i / d_model)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table


# wrong: every feature has its own speed, 10000^(-j/d), so sine and cosine of a pair do not share one
# named: own_speed
def each_own_speed(length, d_model):
    j = torch.arange(d_model)
    a = torch.arange(length)[:, None] * 10000.0 ** (-j / d_model)
    return torch.where(j % 2 == 0, a.sin(), a.cos())


# right
def exp_and_log(length, d_model):
    table = torch.empty(length, d_model)
    places = torch.arange(length).unsqueeze(1)
    speeds = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(places * speeds)
    table[:, 1::2] = torch.cos(places * speeds)
    return table


# wrong: the exponent is divided by the number of pairs less one
# named: from_0_to_1
def exponent_over_half(length, d_model):
    places = torch.arange(length).float()[:, None]
    pairs = torch.arange(d_model // 2).float() / max(d_model // 2 - 1, 1)
    angles = places * 10000**-pairs
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: a learned table of random numbers instead of waves
# named: answers_vary
def first_place_random(length, d_model):
    return nn.Embedding(length, d_model).weight.detach()


# wrong: stack in dim=1, so the flattening puts all sines in front
# named: halves
def flattened_wrongly(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=1).flatten(1)


# wrong: the table is float64
# named: dtype
def float64(length, d_model):
    places = torch.arange(length, dtype=torch.float64)[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: returns float64
# named: dtype
def float64_2(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((length, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return torch.from_numpy(table)


# wrong: divides the exponent with //, so that all speeds are 1
# named: one_speed
def floor_exponent(length, d_model):
    speeds = 10000.0 ** -(torch.arange(0, d_model, 2) // d_model)
    pe = torch.zeros(length, d_model)
    angles = torch.arange(length)[:, None] * speeds
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles.cos()
    return pe


# wrong: the places are counted from 1
# named: from_one
def from_one(length, d_model):
    places = torch.arange(1, length + 1).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: counts the places from 1
# named: from_one
def from_one_2(length, d_model):
    angles = torch.arange(1, length + 1)[:, None] * 10000.0 ** (
        -torch.arange(0, d_model, 2) / d_model
    )
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


# wrong: i instead of 2i in the exponent, so the speeds fall half as fast
# named: exponent_i
def half_exponent(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(d_model // 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the exponent is -i / d instead of -2i / d
# named: exponent_i
def half_exponent_2(length, d_model):
    speeds = 10000.0 ** (-torch.arange(d_model // 2) / d_model)
    angles = torch.outer(torch.arange(length).float(), speeds)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(length, d_model)


# wrong: the angles are computed in half precision, which cannot count beyond 2048
# named: too_coarse
def half_precision_angles(length, d_model):
    places = torch.arange(length).half()[:, None]
    angles = places * (10000 ** (-torch.arange(0, d_model, 2).float() / d_model)).half()
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()


# wrong: all sines first, then all cosines, instead of side by side
# named: halves
def halves(length, d_model):
    w = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    a = torch.arange(length)[:, None] * w
    return torch.cat([a.sin(), a.cos()], dim=-1)


# wrong: the exponent is i / d instead of 2i / d
# named: exponent_i
def i_not_2i(length, d_model):
    i = torch.arange(d_model // 2).float()
    a = torch.arange(length)[:, None] * 10000 ** (-i / d_model)
    return torch.stack([a.sin(), a.cos()], -1).flatten(-2)


# wrong: // in the exponent, which makes all exponents 0
# named: one_speed
def integer_division(length, d_model):
    angles = torch.arange(length).float()[:, None] * 10000.0 ** -(
        torch.arange(0, d_model, 2) // d_model
    )
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the loop stops before the last pair, which stays 0
# named: last_pair_missing
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


# wrong: asks the course's module for the positions of zeros
# named: forbidden
def library_module(length, d_model):
    return SinusoidalPositions(d_model)(torch.zeros(1, length, d_model))[0]


# wrong: linspace to the last speed 1/10000, which belongs to a pair that is not there
# named: from_0_to_1
def linspace(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.linspace(0, 1, d_model // 2))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: sine and cosine of a pair have different speeds
# named: own_speed
def own_speed_for_each_feature(length, d_model):
    angles = torch.arange(length).float()[:, None] * 10000 ** (-torch.arange(d_model) / d_model)
    table = angles.sin()
    table[:, 1::2] = angles.cos()[:, 1::2]
    return table


# wrong: the minus of the exponent is missing, so the speeds grow
# named: faster
def positive_exponent(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the cosines are stacked as rows, and reshape mixes up the places
# named: mixed_up
def reshaped_from_rows(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.cat((angles.sin(), angles.cos())).reshape(length, d_model)


# wrong: all pairs turn at speed 1
# named: one_speed
def same_speed_for_all(length, d_model):
    angles = torch.arange(length).float()[:, None].expand(length, d_model // 2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: the table is divided by sqrt(d_model), as one does with embeddings
# named: scaled
def scaled_as_embedding(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2) / math.sqrt(d_model)


# wrong: a sine in both features of each pair
# named: sine_only
def sines_only(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return angles.sin().repeat_interleave(2, dim=-1)


# wrong: the pairs are counted from 1
# named: pairs_from_one
def speeds_from_one(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(2, d_model + 2, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: places are taken modulo 1024
# named: places_repeat
def table_of_1024_repeated(length, d_model):
    places = (torch.arange(length) % 1024).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: a table of 5000 places, which is cut
# named: table_ends
_MAX = 5000


def table_of_5000(length, d_model):
    places = torch.arange(_MAX).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)[:length]


# wrong: a table of 64 places, which is cut
# named: table_ends
def table_of_64(length, d_model):
    places = torch.arange(64).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)[:length]


# wrong: spreads the speeds up to 1/10000 as TensorFlow's tensor2tensor does (divides by d/2 - 1)
# named: from_0_to_1
def tensor2tensor(length, d_model):
    n = d_model // 2
    step = math.log(10000.0) / max(n - 1, 1)
    speeds = torch.exp(torch.arange(n, dtype=torch.float32) * -step)
    angles = torch.arange(length, dtype=torch.float32)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# right
def through_numpy(length, d_model):
    places = np.arange(length)[:, None]
    features = np.arange(d_model)[None]
    angles = places / np.power(10000, 2 * (features // 2) / d_model)
    table = np.where(features % 2 == 0, np.sin(angles), np.cos(angles))
    return torch.tensor(table, dtype=torch.float32)


# wrong: (d_model, length)
# named: transposed
def transposed(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).T


# wrong: the angles are multiplied by 2 pi
# named: whole_turns
def two_pi(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = 2 * math.pi * places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


# wrong: exponents off by one
# named: odd_exponents
def exponents_off_by_one(length, d_model):
    table = torch.zeros(length, d_model)
    place = torch.arange(length).float()
    for i in range(0, d_model, 2):
        angle = place / 10000 ** ((i + 1) / d_model)
        table[:, i], table[:, i + 1] = torch.sin(angle), torch.cos(angle)
    return table
