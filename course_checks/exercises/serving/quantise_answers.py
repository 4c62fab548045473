"""Answers to quantise (lesson 17, exercise 5), right and wrong, as students write them."""

import functools

import torch


# right
def by_sorted(keys, bits):
    ordered = keys.sort(dim=1).values
    offset, last = ordered[:, :1], ordered[:, -1:]
    scale = (last - offset) / (2**bits - 1)
    codes = torch.where(scale > 0, (keys - offset) / scale, torch.zeros_like(keys))
    return torch.round(codes), scale, offset


# right
def loop(keys, bits):
    codes, scales, offsets = torch.zeros_like(keys), [], []
    for head in range(keys.shape[0]):
        for channel in range(keys.shape[2]):
            numbers = keys[head, :, channel]
            low, steps = numbers.min(), 2**bits - 1
            scale = (numbers.max() - low) / steps
            if scale > 0:
                codes[head, :, channel] = ((numbers - low) / scale).round()
            scales.append(scale)
            offsets.append(low)
    shape = keys.shape[0], 1, keys.shape[2]
    return codes, torch.stack(scales).view(shape), torch.stack(offsets).view(shape)


# wrong: a scale for each token
# named: by_token
def tokens(keys, bits):
    low = keys.min(dim=-1, keepdim=True).values
    high = keys.max(dim=-1, keepdim=True).values
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return torch.round((keys - low) / safe), scale, low


# wrong: a scale for each head
# named: one_for_each_head
def heads(keys, bits):
    low, high = keys.amin((1, 2), keepdim=True), keys.amax((1, 2), keepdim=True)
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return torch.round((keys - low) / safe), scale, low


# wrong: 2**bits steps
# named: one_code_too_many
def steps(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / 2**bits
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return torch.round((keys - low) / safe), scale, low


# wrong: cut in place of rounded
# named: rounded_down
def cut(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return ((keys - low) / safe).int().to(keys.dtype), scale, low


# wrong: 0 divided by 0
# named: no_spread
def divides_by_zero(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    return ((keys - low) / scale).round(), scale, low


# wrong: the keys that come back
# named: keys_for_codes
def returned(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return ((keys - low) / safe).round() * scale + low, scale, low


# wrong: around 0
# named: sizes_only
def symmetric(keys, bits):
    top = keys.abs().amax(dim=1, keepdim=True)
    scale = 2 * top / (2**bits - 1)
    return ((keys + top) / scale).round(), scale, -top


# wrong: whole numbers of another dtype
# named: dtype
# points: 5
def integers(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return ((keys - low) / safe).round().to(torch.uint8), scale, low


# wrong: a scale of 1 where there is no spread
# named: scale_of_1
# points: 5
def one(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    scale[scale == 0] = 1
    return ((keys - low) / scale).round(), scale, low


# wrong: the usual codes around 0, without an offset
# named: symmetric
def around_zero(keys, bits):
    top = keys.abs().max(dim=1, keepdim=True).values
    scale = top / (2 ** (bits - 1) - 1)
    return torch.round(keys / scale), scale, torch.zeros_like(scale)


# wrong: the smallest scale is 1e-8
# named: scale_of_1
# points: 5
def a_little_scale(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = ((high - low) / (2**bits - 1)).clamp(min=1e-8)
    return ((keys - low) / scale).round(), scale, low


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, tokens, head_dim, bits in (
        (2, 4, 3, 3),
        (1, 6, 5, 4),
        (4, 3, 2, 8),
        (2, 5, 4, 1),
    ):
        yield randn(heads, tokens, head_dim), bits
        yield 3 * randn(heads, tokens, head_dim).abs() + 2, bits
    yield torch.full((2, 3, 2), 0.4), 4
