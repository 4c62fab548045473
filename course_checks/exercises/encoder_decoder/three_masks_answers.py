"""Answers to three_masks (lesson 09, exercise 2), right and wrong, as students write them."""

import functools

import torch

from course_lib import causal_mask, combine_masks, padding_mask


def masks_with(make):
    """(source padding, target padding, causal) -> the three masks."""

    def three_masks(source_lengths, target_lengths, source_len, target_len):
        source = padding_mask(source_lengths, source_len)
        return make(source, padding_mask(target_lengths, target_len), causal_mask(target_len))

    return three_masks


# right
def course(source_lengths, target_lengths, source_len, target_len):
    source = padding_mask(source_lengths, source_len)
    own = combine_masks(padding_mask(target_lengths, target_len), causal_mask(target_len))
    return source, own, source.clone()


# right
def loop(source_lengths, target_lengths, source_len, target_len):
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, source_len, dtype=torch.bool)
    target = torch.zeros(batch, 1, target_len, target_len, dtype=torch.bool)
    for b in range(batch):
        source[b, ..., : source_lengths[b]] = True
        for i in range(target_len):
            target[b, 0, i, : min(i + 1, int(target_lengths[b]))] = True
    return [source, target, source]


# right
def compared(source_lengths, target_lengths, source_len, target_len):
    key = torch.arange(target_len)
    source = torch.arange(source_len).expand(len(source_lengths), 1, 1, -1)
    source = source < source_lengths.reshape(-1, 1, 1, 1)
    last = torch.minimum(key[:, None] + 1, target_lengths.reshape(-1, 1, 1, 1))
    return source, key < last, source


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


# wrong: cuts a causal mask for the cross attention
# says: stopped with an error
cross_cut_to_the_target = masks_with(lambda s, t, c: (s, t & c, s & c[: t.shape[-1]]))


# wrong: the decoder's mask leaves the target's padding in sight
# named: decoder_reads_padding
causal_alone = masks_with(lambda s, t, c: (s, c, s))


# wrong: the cross attention has the decoder's mask
# named: cross_is_decoder_mask
decoder_mask_twice = masks_with(lambda s, t, c: (s, t & c, t & c))


# wrong: returns two masks
# says: 3 things
two_masks = masks_with(lambda s, t, c: (s, t & c))


# wrong: the decoder sees the future alone
# says: Your decoder
future_alone = masks_with(lambda s, t, c: (s, t & ~c, s))


# wrong: adds masks, which is "or"
# named: decoder_either
plus = masks_with(lambda s, t, c: (s, t + c, s))


# wrong: the decoder's mask leaves out the padding as queries, too
# named: decoder_queries_too
# points: 4
padding_as_queries = masks_with(lambda s, t, c: (s, t & t.mT & c, s))


# wrong: masks of whole numbers
# named: dtype
# points: 6
of_whole_numbers = masks_with(lambda s, t, c: (s.int(), t.int() * c, s.int()))


# other inputs
def other_inputs(generator):
    randint = functools.partial(torch.randint, generator=generator)
    for source_len, target_len in ((3, 5), (4, 4), (6, 2)):
        lengths = (randint(1, size + 1, (4,)) for size in (source_len, target_len))
        yield *lengths, source_len, target_len
