"""Answers to rotary (lesson 07, exercise 3), right and wrong, as students write them."""

import functools
import math

import torch

from course_lib import RotaryEmbedding


# right
def by_complex(x, first_place):
    length, head_dim = x.shape[-2:]
    speeds = 10000.0 ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)
    angle = torch.outer(torch.arange(length) + first_place, speeds)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angle)).flatten(-2).to(x.dtype)


# right
def rotated_half(x, first_place):
    """x cos + (x turned by a quarter) sin, with each angle twice."""
    place = torch.arange(first_place, first_place + x.size(-2), dtype=x.dtype)
    speeds = torch.exp(torch.arange(0, x.size(-1), 2) * -(math.log(10000) / x.size(-1)))
    angle = torch.einsum("t,f->tf", place, speeds.to(x.dtype)).repeat_interleave(2, dim=-1)
    quarter = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * angle.cos() + quarter * angle.sin()


# right
def matrices(x, first_place):
    rows = []
    for t in range(x.shape[-2]):
        matrix = torch.zeros(x.shape[-1], x.shape[-1], dtype=x.dtype)
        for i in range(0, x.shape[-1], 2):
            angle = (first_place + t) / 10000 ** (i / x.shape[-1])
            cos, sin = math.cos(angle), math.sin(angle)
            matrix[i : i + 2, i : i + 2] = torch.tensor([[cos, -sin], [sin, cos]])
        rows.append(x[..., t, :] @ matrix.T)
    return torch.stack(rows, dim=-2)


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


# wrong: takes the length from axis 1, not from the axis before the last
def axis(x, first_place):
    n, d = x.shape[1], x.shape[-1]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    if x.dim() > 3:
        t = t[:, None, :]
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], dim=-1).flatten(-2)


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
# points: 5
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
# points: 5
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


# wrong: i instead of 2i in the exponent
# named: exponent_i
def half_exponent(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(x.shape[-1] // 2, dtype=x.dtype) / x.shape[-1])
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


# wrong: calls the course's own module
# named: forbidden
def library(x, first_place):
    return RotaryEmbedding(x.shape[-1], pairing="interleaved")(x, first_place)


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


# wrong: the second part uses the first part after it was turned
# named: overwritten
def turned_a_used_for_b(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    a = a * t.cos() - b * t.sin()
    b = b * t.cos() + a * t.sin()
    return torch.stack((a, b), dim=-1).flatten(-2)


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


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, first in (((4, 6), 0), ((3, 5, 2), 1), ((2, 4, 3, 8), 5), ((2, 2, 9, 4), 30)):
        yield randn(*shape), first
