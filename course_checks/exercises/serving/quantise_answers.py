"""Answers to quantise (lesson 17, exercise 5), right and wrong, as students write them."""

import torch


# right
def right_aminmax(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    codes = torch.round((keys - low) / scale)
    return torch.nan_to_num(codes, nan=0.0), scale, low


# right
def right_levels(keys, bits):
    levels = 2**bits - 1
    offset = keys.min(dim=-2, keepdim=True).values
    span = keys.max(dim=-2, keepdim=True).values - offset
    divisor = torch.where(span == 0, torch.ones_like(span), span)
    codes = ((keys - offset) * levels / divisor + 0.5).floor().clamp(0, levels)
    return codes, span / levels, offset


# right
def right_transposed(keys, bits):
    channels = keys.transpose(1, 2)
    low = channels.min(-1).values
    scale = (channels.max(-1).values - low) / (2**bits - 1)
    safe = scale + (scale == 0)
    codes = ((channels - low[..., None]) / safe[..., None]).round().transpose(1, 2)
    return codes, scale[:, None], low[:, None]


# wrong: a scale for each token
# named: by_token
def tokens(keys, bits):
    low = keys.min(dim=-1, keepdim=True).values
    high = keys.max(dim=-1, keepdim=True).values
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return torch.round((keys - low) / safe), scale, low


# wrong: a scale for everything
# named: one_for_all
def everything(keys, bits):
    low, high = keys.min(), keys.max()
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
def integers(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    return ((keys - low) / safe).round().to(torch.uint8), scale, low


# wrong: a scale of 1 where there is no spread
# named: scale_of_1
def one(keys, bits):
    low, high = torch.aminmax(keys, dim=1, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    scale[scale == 0] = 1
    return ((keys - low) / scale).round(), scale, low
