"""Lesson 17, exercise 5: keys in a few bits, with a scale for each channel."""

import torch

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.calling import call


def quantise(keys, bits):
    low, high = keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True)
    scale = (high - low) / (2**bits - 1)
    steps = (keys - low) / scale.masked_fill(scale == 0, 1)
    return steps.round(), scale, low


MISTAKES = """
by_token: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=-1, keepdim=True), keys.amax(dim=-1, keepdim=True)
    You give each token a scale. One channel with large keys then makes the steps coarse for all the
    others: give each channel its own, over the tokens, dim=-2.
one_for_all: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin().expand_as(keys[:, :1]), keys.amax().expand_as(keys[:, :1]) || \
        keys.amin().reshape(1, 1, 1), keys.amax().reshape(1, 1, 1) || keys.amin(), keys.amax()
    You take one scale for all keys. Each channel of each head has its own.
one_for_each_head: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=(-2, -1), keepdim=True), keys.amax(dim=(-2, -1), keepdim=True)
or: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=(-2, -1), keepdim=True).expand_as(keys[:, :1]), \
        keys.amax(dim=(-2, -1), keepdim=True).expand_as(keys[:, :1])
    You take one scale for each head. A channel with large keys then makes the steps coarse for all:
    each channel has its own.
heads_together: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=(0, -2), keepdim=True), keys.amax(dim=(0, -2), keepdim=True)
or: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=(0, -2), keepdim=True).expand_as(keys[:, :1]), \
        keys.amax(dim=(0, -2), keepdim=True).expand_as(keys[:, :1])
    You give all heads the same scales. A channel of one head has nothing to do with that of
    another: look at the tokens of one head.
over_the_heads: keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        keys.amin(dim=0, keepdim=True), keys.amax(dim=0, keepdim=True)
    You look for the smallest and the largest key over the heads. The tokens are dimension -2.
one_code_too_many: 2**bits - 1 -> 2**bits
    You divide by 2**bits. That many codes have one step less between the first and the last: divide
    by 2**bits - 1.
codes_as_bits: 2**bits - 1 -> bits
    You divide by bits. With `bits` bits there are 2**bits codes, and 2**bits - 1 steps.
rounded_down: steps.round() -> steps.floor()
    You round down, and a key may lie nearly a whole step from what stands for it. Round to the
    nearest code.
not_rounded: steps.round() -> steps
    You do not round. A code is a whole number.
no_offset: steps = (keys - low) -> steps = keys
    You divide the keys by the scale as they are. Take the offset away first, so that the smallest
    key gets the code 0.
sizes_only: low, high = keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        high = keys.abs().amax(dim=-2, keepdim=True); low = -high
    You let the codes reach from minus the largest size to plus it. Where a channel lies on one side
    of 0, half of them are never used: from the smallest key to the largest.
symmetric: _symmetric(lambda bits: 2 ** (bits - 1) - 1) || _symmetric(lambda bits: 2 ** (bits - 1))
or: _symmetric(lambda bits: max(2 ** (bits - 1) - 1, 1))
    Your codes stand for numbers around 0, with an offset of 0. Here code 0 is the smallest key, and
    the largest key has the code 2**bits - 1.
from_zero: low, high = keys.amin(dim=-2, keepdim=True), keys.amax(dim=-2, keepdim=True) -> \
        high = keys.amax(dim=-2, keepdim=True); low = 0 * high
    Your offset is 0. It is the channel's smallest key.
mean_for_offset: steps.round(), scale, low -> steps.round(), scale, keys.mean(-2, keepdim=True)
    You return the mean as the offset. It is the key that gets the code 0, the smallest.
largest_for_offset: steps.round(), scale, low -> steps.round(), scale, high
    You return the largest key as the offset. It is the key that gets the code 0, the smallest.
keys_for_codes: steps.round(), scale, low -> steps.round() * scale + low, scale, low
    You return the keys that come back, and not the codes. The codes are what is kept.
signed: steps.round(), scale, low -> steps.round() - 2 ** (bits - 1), scale, low
    Your codes begin below 0. They count from 0: the offset is the key that gets the code 0.
no_spread: scale.masked_fill(scale == 0, 1) -> scale
    Where all keys of a channel are equal, its scale is 0, and you divide 0 by 0. Its codes are 0.
scale_of_1: scale = (high - low) / (2**bits - 1) -> \
        scale = ((high - low) / (2**bits - 1)).masked_fill(high == low, 1)
    {NOT_ZERO}
whole_range: steps.round(), scale, low -> steps.round(), high - low, low
or: (high - low) / (2**bits - 1) -> (high - low)
    Your scale is the whole range of a channel. It is the distance of two neighbouring codes.
turned_round: steps.round(), scale, low -> steps.round(), 1 / scale, low
    You return how many codes fit into 1. Asked for is the distance of two neighbouring codes.
exchanged: steps.round(), scale, low -> steps.round(), low, scale
    You return offset and scale exchanged. The scale comes first.
"""


NOT_ZERO = (
    "Where all keys of a channel are equal, you return a scale above 0, such as 1 or 1e-8. The "
    "distance between its codes is 0: return that, and divide by something else."
)


def _exactly_zero(function):
    answer = call(EXERCISE, function, (torch.full((1, 2, 2), 0.7, device="cpu"), 3), 0).answer
    return (NOT_ZERO, "") if answer and answer["scale"].any() else None


def _symmetric(largest_code):
    def version(keys, bits):
        scale = keys.abs().amax(dim=-2, keepdim=True) / largest_code(bits)
        return (keys / scale.masked_fill(scale == 0, 1)).round(), scale, torch.zeros_like(scale)

    return version


def _cases(*sizes, shift=0.0, wide=1.0):
    """(heads, tokens, head_dim, bits) each. One channel lies ``shift`` off, ``wide`` as wide."""

    def make(generator):
        for heads, tokens, head_dim, bits in sizes:
            keys = randn(generator, heads, tokens, head_dim)
            keys[..., 1] = wide * keys[..., 1] + shift
            label = f"{bits} bits, {heads} heads, {tokens} tokens of {head_dim} channels"
            yield Case((keys, bits), label=label)

    return make


def _edges(generator):
    """Channels without spread, one token, 1 bit, and keys all on one side of 0."""
    same = randn(generator, 2, 4, 3)
    same[:, :, 2] = 0.7
    cases = [Case((same, 3), label="a channel whose keys are all equal")]
    cases += [Case((randn(generator, 3, 1, 2), 4), label="one token")]
    cases += [Case((randn(generator, 2, 5, 3), 1), label="1 bit")]
    far = randn(generator, 2, 6, 4).abs() + 3
    return [*cases, Case((far, 4), label="keys above 3"), Case((-far, 2), label="keys below -3")]


EXERCISE = Exercise(
    reference=quantise,
    returns={
        "codes": "the shape of keys",
        "scale": "(heads, 1, head_dim)",
        "offset": "(heads, 1, head_dim)",
    },
    properties=(
        Property(
            "each channel of each head has a scale and an offset over its tokens",
            2,
            _cases((1, 3, 2, 4), (2, 5, 3, 3), (3, 4, 6, 8)),
        ),
        Property(
            "a channel with keys that are large, or far from 0, is not in the others' way",
            2,
            _cases((2, 6, 3, 4), (3, 7, 5, 3), shift=9.0, wide=6.0),
        ),
        Property(
            "equal keys, one token, 1 bit, and keys on one side of 0",
            1,
            _edges,
            judge=_exactly_zero,
        ),
    ),
    mistakes=MISTAKES,
)
