"""Answers to rotary (lesson 07, exercise 3), right and wrong, as students write them."""

import math

import torch

from course_lib import RotaryEmbedding


# wrong: a cos + b sin, both signs plus, which is no turn
# named: both_plus
def a_cos_plus_b_sin(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() + b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: adds sines and cosines instead of turning
# named: added
def added_not_turned(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    return x + torch.stack((t.sin(), t.cos()), dim=-1).flatten(-2)


# wrong: all rows are turned by the angle of first_place
# named: one_place
def all_rows_at_first_place(x, first_place):
    t = first_place * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: returns float32 whatever comes in
# named: dtype
def always_float32(x, first_place):
    L, d = x.shape[-2:]
    x = x.float()
    t = torch.arange(first_place, first_place + L)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)


# wrong: takes the length from axis 1, not from the axis before the last
def axis(x, first_place):
    n, d = x.shape[1], x.shape[-1]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    if x.dim() > 3:
        t = t[:, None, :]
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], dim=-1).flatten(-2)


# wrong: takes axis 1 for the tokens, which are the heads in (batch, heads, length, head_dim)
def axis_one(x, first_place):
    L, d = x.shape[1], x.shape[-1]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)


# wrong: turns the other way round
# named: backwards
def backwards(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((a * t.cos() + b * t.sin(), b * t.cos() - a * t.sin()), dim=-1).flatten(-2)


# wrong: 1000 instead of 10000
# named: base_1000
def base_1000(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 1000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: both parts with a minus, which is a reflection of sorts
# named: no_rotation
def both_minus(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() - a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: neighbours are turned, but put back with all first features in front
# named: not_put_back
def cat_at_the_end(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1)


# wrong: puts all first features in front of all second ones
# named: not_put_back
def cat_back(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1)


# wrong: turns the other way (the signs of the sines are exchanged)
# named: backwards
def clockwise(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() + b * t.sin(), b * t.cos() - a * t.sin()], dim=-1).flatten(-2)


# right
def complex_numbers(x, first_place):
    length, head_dim = x.shape[-2:]
    speeds = 10000 ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = torch.outer(
        torch.arange(first_place, first_place + length, dtype=torch.float64), speeds
    )
    points = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    turned = points * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


# right
def complex_numbers_2(x, first_place):
    L, d = x.shape[-2:]
    places = torch.arange(L, dtype=torch.float64) + first_place
    t = torch.outer(places, torch.logspace(0, -4, d // 2 + 1, dtype=torch.float64)[:-1]).to(x.dtype)
    points = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(points * torch.polar(torch.ones_like(t), t)).flatten(-2)


# wrong: multiplies by cosines and sines without the other half of the pair
# named: features_not_mixed
def cos_only(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    return torch.stack((x[..., ::2] * t.cos(), x[..., 1::2] * t.sin()), dim=-1).flatten(-2)


# wrong: the angles are taken for degrees
# named: degrees
def degrees(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    t = t * math.pi / 180
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: x is detached on the way
# named: cut_off
def detached(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x.detach()[..., ::2], x.detach()[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: only the first half of the features is turned, as in GPT-J
# named: half_turned
def first_half_only(x, first_place):
    half = x.shape[-1] // 4 * 2
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, half, 2, dtype=x.dtype) / max(half, 1))
    a, b = x[..., :half:2], x[..., 1:half:2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.cat((torch.stack(turned, dim=-1).flatten(-2), x[..., half:]), dim=-1)


# wrong: the places begin at 0 whatever first_place is
# named: first_place_ignored
def first_place_ignored(x, first_place):
    places = torch.arange(x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: always returns float32
# named: dtype
def float32_returned(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2]).float()[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    a, b = x.float()[..., ::2], x.float()[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: the angles are float64 and so is the answer
# named: dtype
def float64_returned(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=torch.float64)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: i instead of 2i in the exponent
# named: exponent_i
def half_exponent(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(x.shape[-1] // 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: pairs feature i with feature i + head_dim / 2
# named: halves
def halves(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1)


# wrong: pairs feature i with i + head_dim / 2 instead of neighbours
# named: halves
def halves_2(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], dim=-1)


# wrong: the heads are turned by their number where there are as many heads as tokens
def heads_are_places(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    if x.dim() > 2 and x.shape[-3] == x.shape[-2]:
        t = t[:, None, :]
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: writes the turned features into x itself
# named: changes_input
def in_place(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    with torch.no_grad():
        a, b = x[..., ::2].clone(), x[..., 1::2].clone()
        x[..., ::2] = a * t.cos() - b * t.sin()
        x[..., 1::2] = b * t.cos() + a * t.sin()
    return x


# right
def into_an_empty_tensor(x, first_place):
    d = x.shape[-1]
    out = torch.empty_like(x)
    p = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)
    for i in range(d // 2):
        t = p / 10000 ** (2 * i / d)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        out[..., 2 * i] = a * torch.cos(t) - b * torch.sin(t)
        out[..., 2 * i + 1] = b * torch.cos(t) + a * torch.sin(t)
    return out


# wrong: the length is read from dimension 1, which is the heads of (batch, heads, length, head_dim)
def length_from_dim_one(x, first_place):
    length = x.shape[1] if x.dim() > 2 else x.shape[0]
    places = torch.arange(first_place, first_place + length, dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: calls the course's own module
# named: forbidden
def library(x, first_place):
    return RotaryEmbedding(x.shape[-1], pairing="interleaved")(x, first_place)


# right
def matrices(x, first_place):
    head_dim = x.shape[-1]
    rows = []
    for row in range(x.shape[-2]):
        turn = torch.zeros(head_dim, head_dim, dtype=x.dtype)
        for i in range(0, head_dim, 2):
            t = (first_place + row) * 10000 ** (-i / head_dim)
            turn[i, i] = turn[i + 1, i + 1] = math.cos(t)
            turn[i, i + 1], turn[i + 1, i] = -math.sin(t), math.sin(t)
        rows.append(x[..., row, :] @ turn.T)
    return torch.stack(rows, dim=-2)


# wrong: repeats the angles by neighbours but rotates by halves
# named: halves_by_neighbours
def mixed_conventions(x, first_place):
    L, d = x.shape[-2:]
    inv = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * inv
    emb = t.repeat_interleave(2, dim=-1)
    half = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return x * emb.cos() + half * emb.sin()


# wrong: works on the first entry of each leading dimension and expands
# named: one_for_all
def one_batch_lost(x, first_place):
    flat = x.reshape(-1, x.shape[-2], x.shape[-1])[0]
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = flat[..., ::2], flat[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2).expand(x.shape)


# wrong: the first row stands at first_place + 1
# named: from_one
def one_place_late(x, first_place):
    places = torch.arange(first_place + 1, first_place + 1 + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: uses the already turned a to compute the new b
# named: overwritten
def overwrites_a(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = (torch.arange(n, dtype=x.dtype) + first_place)[:, None] * w
    a, b = x[..., ::2], x[..., 1::2]
    a = a * t.cos() - b * t.sin()
    b = b * t.cos() + a * t.sin()
    return torch.stack([a, b], dim=-1).flatten(-2)


# wrong: places are taken modulo 256
def places_modulo_256(x, first_place):
    places = (
        torch.arange(first_place, first_place + x.shape[-2]).to(torch.uint8).to(x.dtype)[:, None]
    )
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: multiplies by the first place instead of adding it
def places_multiplied(x, first_place):
    L, d = x.shape[-2:]
    t = (torch.arange(L, dtype=x.dtype) * max(first_place, 1))[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)


# wrong: the minus of the exponent is missing
def positive_exponent(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# right
def reshape_and_unbind(x, first_place):
    *lead, length, head_dim = x.shape
    a, b = x.reshape(*lead, length, head_dim // 2, 2).unbind(-1)
    angle = (first_place + torch.arange(length, dtype=x.dtype)).unsqueeze(-1)
    angle = angle / torch.pow(
        torch.tensor(10000.0, dtype=x.dtype), torch.arange(0, head_dim, 2, dtype=x.dtype) / head_dim
    )
    c, s = angle.cos(), angle.sin()
    return torch.stack([c * a - s * b, s * a + c * b], dim=-1).reshape(x.shape)


# right
def rotate_every_two(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2]).to(x.dtype)
    speeds = torch.exp(
        torch.arange(0, x.shape[-1], 2).to(x.dtype) * -(math.log(10000.0) / x.shape[-1])
    )
    t = torch.einsum("l,f->lf", places, speeds).repeat_interleave(2, dim=-1)
    other = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * t.cos() + other * t.sin()


# wrong: pairs feature i with feature i + head_dim / 2, as Llama in transformers does
# named: halves
def rotate_half(x, first_place):
    L, d = x.shape[-2:]
    inv = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * inv
    emb = torch.cat((t, t), dim=-1)
    half = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return x * emb.cos() + half * emb.sin()


# wrong: every pair is turned by the place itself
# named: one_speed
def same_angle_for_all_pairs(x, first_place):
    t = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: the copy of the second features is made with torch.tensor, so their gradient is lost
# named: gradient_cut
def second_features_detached(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2].clone().detach()
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: a table of 2048 places, as many models have
def table_of_2048_rows(x, first_place):
    head_dim = x.shape[-1]
    places = torch.arange(2048, dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, head_dim, 2, dtype=x.dtype) / head_dim)
    t = t[first_place : first_place + x.shape[-2]]
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: a table of 256 places
_PLACES = torch.arange(256)


def table_of_256_rows(x, first_place):
    places = _PLACES[first_place : first_place + x.shape[-2]].to(x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: the second part uses the first part after it was turned
# named: overwritten
def turned_a_used_for_b(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    a = a * t.cos() - b * t.sin()
    b = b * t.cos() + a * t.sin()
    return torch.stack((a, b), dim=-1).flatten(-2)


# wrong: turned in the other direction
# named: backwards
def turned_back(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() + b * t.sin(), b * t.cos() - a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)


# wrong: a is a view of the result and already turned when b needs the old one
# named: overwritten
def view_overwritten(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    out = x.clone()
    a, b = out[..., ::2], out[..., 1::2]
    out[..., ::2] = a * t.cos() - b * t.sin()
    out[..., 1::2] = b * t.cos() + a * t.sin()
    return out


# wrong: first_place is added to the angles
# named: first_place_as_angle
def place_added_to_angle(x, first_place):
    n, d = x.shape[-2:]
    t = (
        torch.arange(n, dtype=x.dtype)[:, None]
        * 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
        + first_place
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], -1).flatten(-2)


# wrong: heads and length exchanged
# named: by_head
def along_the_heads(x, first_place):
    *_, heads, length, d = x.shape if x.dim() > 2 else (1, *x.shape)
    angle = torch.arange(first_place, first_place + (heads if x.dim() > 2 else length))
    angle = angle[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    angle = angle[:, None] if x.dim() > 2 else angle
    even, odd = x[..., 0::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., 0::2] = even * angle.cos() - odd * angle.sin()
    out[..., 1::2] = even * angle.sin() + odd * angle.cos()
    return out
