"""Answers to padding_mask (lesson 06, exercise 2), right and wrong, as students write them."""

import numpy as np
import torch
import torch.nn.functional as F

from course_lib.attention import masks


# wrong: 0 and minus infinity, to be added to the scores
# named: additive
def additive(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    padded = torch.arange(max_len) >= lengths[:, None]
    return mask.masked_fill(padded[:, None, None, :], float("-inf"))


# wrong: an empty sentence gets one real token, so that no row is empty
# named: at_least_one
def at_least_one(lengths, max_len):
    lengths = lengths.clamp(min=1)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


# wrong: (1, batch, 1, max_len), the batch stands in the dimension of the heads
# named: batch_not_first
def batch_second(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[None, :, None, :]


# wrong: tril with the lengths, which mixes up the causal mask and padding
def causal_2(lengths, max_len):
    return torch.ones(len(lengths), max_len).tril()[:, None, None, :].bool()


# wrong: a table for at most 64 positions
# named: table_ends
_POSITIONS = torch.arange(64)


def cpu_positions_cached(lengths, max_len):
    return (_POSITIONS[:max_len] < lengths[:, None])[:, None, None, :]


# right
def cumsum(lengths, max_len):
    ones = torch.ones(len(lengths), max_len, dtype=torch.long, device=lengths.device)
    return (ones.cumsum(1) <= lengths.unsqueeze(1)).reshape(-1, 1, 1, max_len)


# right
def cumulated(lengths, max_len):
    ones = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.long)
    return ones.cumsum(-1) <= lengths.view(-1, 1, 1, 1)


# wrong: the slice -(max_len - length): is empty the wrong way round for a full sentence
# named: minus_zero
def exact_zero_minus(lengths, max_len):
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        mask[b, ..., -(max_len - n) :] = False
    return mask


# wrong: the 1 for the queries is expanded to max_len
# named: expanded
def expanded_for_queries(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return real[:, None, None, :].expand(-1, 1, max_len, max_len)


# wrong: every sentence gets the mask of the first one
# named: one_length_for_all
def first_sentence_only(lengths, max_len):
    row = torch.arange(max_len) < lengths[0]
    return row.expand(len(lengths), 1, 1, max_len)


# wrong: 1.0 and 0.0 instead of True and False
# named: dtype
def float_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].float()


# wrong: True for the last length positions, as if the filling were in front
# named: at_the_end
def front(lengths, max_len):
    pos = torch.arange(max_len)
    return (pos[None] >= max_len - lengths[:, None]).view(-1, 1, 1, max_len)


# wrong: marks the last places as real, as if the filling were in front
# named: at_the_end
def front_2(lengths, max_len):
    return (torch.arange(max_len) >= max_len - lengths[:, None])[:, None, None]


# wrong: mask[b, length:] by a loop that marks length-1 as padding too
# named: one_less
def index_negative(lengths, max_len):
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, n in enumerate(lengths):
        mask[b, 0, 0, n - 1 :] = False
    return mask


# wrong: 1 and 0 as integers instead of True and False
# named: dtype
def integer_mask(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.long)
    for b, n in enumerate(lengths.tolist()):
        mask[b, :, :, :n] = 1
    return mask


# wrong: True marks the padding, as key_padding_mask of torch does
# named: inverted
def is_padding(lengths, max_len):
    return (torch.arange(max_len)[None] >= lengths[:, None]).view(-1, 1, 1, max_len)


# wrong: returns 1.0 and 0.0
# named: dtype
def keras_float(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    for b, n in enumerate(lengths):
        mask[b, 0, 0, :n] = 1
    return mask


# wrong: the shape is (batch, 1, max_len, 1): the mask hides queries, not keys
# named: queries_masked
def keys_third(lengths, max_len):
    return (torch.arange(max_len)[None] < lengths[:, None])[:, None, :, None]


# wrong: the lengths are made zero-based in place, so the caller's lengths change
# named: changes_input
def lengths_changed_in_place(lengths, max_len):
    lengths -= 1
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


# wrong: positions <= lengths, one token too many
# named: one_more
def less_or_equal(lengths, max_len):
    positions = torch.arange(max_len)
    return (positions <= lengths[:, None])[:, None, None, :]


# wrong: calls the course's own function
# named: forbidden
def library(lengths, max_len):
    return masks.padding_mask(lengths, max_len)


# wrong: as long as the longest sentence, not max_len
# named: cut_at_longest
def longest(lengths, max_len):
    n = int(lengths.max())
    return (torch.arange(n)[None] < lengths[:, None])[:, None, None]


# wrong: the row ends at the longest sentence instead of max_len
# named: cut_at_longest
def longest_of_batch(lengths, max_len):
    positions = torch.arange(int(lengths.max()))
    return (positions < lengths[:, None])[:, None, None, :]


# right
def loop(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        mask[b, 0, 0, :n] = True
    return mask


# right
def nested_lists(lengths, max_len):
    table = [[place < length for place in range(max_len)] for length in lengths.tolist()]
    return torch.tensor(table, dtype=torch.bool).reshape(-1, 1, 1, max_len)


# right
def not_padding(lengths, max_len):
    positions = torch.arange(max_len, device=lengths.device).expand(lengths.shape[0], max_len)
    is_padding = positions.ge(lengths.unsqueeze(1))
    return torch.logical_not(is_padding).unsqueeze(1).unsqueeze(1)


# wrong: positions are counted from 1
# named: one_less
def one_based(lengths, max_len):
    positions = torch.arange(1, max_len + 1)
    return (positions < lengths[:, None])[:, None, None, :]


# wrong: (batch, max_len, 1, 1), the keys are not last
# named: keys_not_last
def ones_at_the_end(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, :, None, None]


# wrong: only the last real token is allowed
# named: last_token_only
def only_ends(lengths, max_len):
    return (torch.arange(max_len) == lengths[:, None] - 1)[:, None, None, :]


# right
def pad_sequence(lengths, max_len):
    rows = [F.pad(torch.ones(int(n)), (0, max_len - int(n))) for n in lengths]
    return torch.stack(rows).bool().view(len(lengths), 1, 1, max_len)


# wrong: the real tokens are put at the end of the row
# named: at_the_end
def padding_in_front(lengths, max_len):
    positions = torch.arange(max_len)
    return (positions >= max_len - lengths[:, None])[:, None, None, :]


# wrong: puts the keys on the queries' axis
# named: queries_masked
def queries_axis(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None]


# wrong: lengths as a row against a column of positions, so the table is transposed
# named: reshaped
def row_of_lengths(lengths, max_len):
    table = torch.arange(max_len)[:, None] < lengths
    return table.reshape(len(lengths), 1, 1, max_len)


# right
def rows_of_tril(lengths, max_len):
    table = torch.ones(max_len + 1, max_len, dtype=torch.bool).tril(-1)
    return table[lengths.long()][:, None, None, :]


# wrong: (batch, max_len) without the two 1s
# named: two_dimensions
def shape_batch_len(lengths, max_len):
    return torch.arange(max_len) < lengths[:, None]


# wrong: (batch, 1, max_len), one 1 is missing
# named: three_dimensions
def shape_three(lengths, max_len):
    return (torch.arange(max_len)[None, :] < lengths[:, None]).unsqueeze(1)


# wrong: (batch, 1, max_len, max_len), hidden for the padded queries too
# named: queries_too
def square(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return real[:, None, :, None] & real[:, None, None, :]


# wrong: blocks the padding queries as well, (batch, 1, max_len, max_len)
# named: queries_too
def square_2(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return (real[:, :, None] & real[:, None, :])[:, None]


# wrong: a list of rows is returned instead of a tensor
def stack_of_rows(lengths, max_len):
    return [[[[p < n for p in range(max_len)]]] for n in lengths.tolist()]


# right
def through_numpy(lengths, max_len):
    table = np.arange(max_len)[None] < lengths.numpy()[:, None]
    return torch.from_numpy(table)[:, None, None]


# right
def triangle_lookup(lengths, max_len):
    table = torch.ones(max_len + 1, max_len, dtype=torch.bool).tril(-1)
    return table[lengths].reshape(-1, 1, 1, max_len)


# wrong: True at the padding, as torch's key_padding_mask has it
# named: inverted
def true_is_padding(lengths, max_len):
    positions = torch.arange(max_len)
    return (positions >= lengths[:, None])[:, None, None, :]


# wrong: returns (batch, max_len)
# named: two_dimensions
def two_dims(lengths, max_len):
    return torch.arange(max_len) < lengths.unsqueeze(1)


# wrong: positions as uint8, which wrap round at 256
# named: wraps_at_256
def uint8_overflow(lengths, max_len):
    positions = torch.arange(max_len).to(torch.uint8)
    return (positions < lengths[:, None])[:, None, None, :]


# wrong: the lengths are sorted first, so the rows belong to other sentences
# named: sorted
def unsorted_lengths(lengths, max_len):
    lengths = lengths.sort(descending=True).values
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


# wrong: as far as the longest sentence only, then filled by True
# named: allowed_behind_the_longest
def open_behind_longest(lengths, max_len):
    m = torch.arange(max_len) < lengths[:, None]
    m[:, lengths.max() :] = True
    return m[:, None, None]
