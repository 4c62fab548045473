"""Answers to three_masks (lesson 09, exercise 2), right and wrong, as students write them."""

import torch


# wrong: the cross mask is causal
# named: cross_causal
def cross_causal(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    own = torch.ones(target_len, target_len).tril().bool()
    cross = torch.ones(target_len, source_len).tril().bool()
    return source, target & own, source & cross


# wrong: encoder, cross, decoder
# named: order
def cross_order(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    own = torch.ones(target_len, target_len).tril().bool()
    return source, source, target & own


# wrong: the encoder does not look ahead
# named: encoder_causal
def encoder_causal(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    own = torch.ones(target_len, target_len).tril().bool()
    ahead = torch.ones(source_len, source_len).tril().bool()
    return source & ahead, target & own, source


# wrong: no causal mask in the decoder
# named: decoder_sees_the_future
def no_future(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    return source, target.repeat(1, 1, target_len, 1), source


# right
def right_outer(source_lengths, target_lengths, source_len, target_len):
    source = torch.stack([torch.arange(source_len) < n for n in source_lengths])[:, None, None]
    target = torch.stack([torch.arange(target_len) < n for n in target_lengths])[:, None, None]
    rows, columns = torch.arange(target_len)[:, None], torch.arange(target_len)
    return source, target.logical_and(columns <= rows), source


# wrong: cross-attention gets the padding of the target
# named: cross_hides_target_padding
def target_keys_in_cross(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) < source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None]
    own = torch.ones(target_len, target_len).tril().bool()
    return source, target & own, target


# wrong: True = blocked, as in nn.Transformer
# named: inverted
def torch_sense(source_lengths, target_lengths, source_len, target_len):
    source = (torch.arange(source_len) >= source_lengths[:, None])[:, None, None]
    target = (torch.arange(target_len) >= target_lengths[:, None])[:, None, None]
    future = torch.ones(target_len, target_len).triu(1).bool()
    return source, target | future, source


# right
def right_flags_filled_in(source_lengths, target_lengths, source_len, target_len):
    source = torch.zeros(len(source_lengths), 1, 1, source_len, dtype=torch.bool)
    for row, length in zip(source, source_lengths.tolist()):
        row[..., :length] = True
    keys = torch.zeros(len(target_lengths), 1, 1, target_len, dtype=torch.bool)
    for row, length in zip(keys, target_lengths.tolist()):
        row[..., :length] = True
    triangle = torch.tril(torch.ones(target_len, target_len)) == 1
    return source, keys * triangle, source


# wrong: the masks are as long as the longest sentence
# named: as_long_as_the_longest
def longest_of_the_batch(source_lengths, target_lengths, source_len, target_len):
    source_len, target_len = int(source_lengths.max()), int(target_lengths.max())
    encoder = (torch.arange(source_len) < source_lengths[:, None])[:, None, None, :]
    target = (torch.arange(target_len) < target_lengths[:, None])[:, None, None, :]
    return encoder, target & torch.ones(target_len, target_len, dtype=torch.bool).tril(), encoder


# wrong: a sentence without tokens may read its first padding
def at_least_one_token(source_lengths, target_lengths, source_len, target_len):
    s = (torch.arange(source_len) < source_lengths.clamp(min=1)[:, None])[:, None, None]
    t = (torch.arange(target_len) < target_lengths.clamp(min=1)[:, None])[:, None, None]
    return s, t & torch.ones(target_len, target_len).tril().bool(), s
