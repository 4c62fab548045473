"""Answers to causal_mask (lesson 05, exercise 1), right and wrong, as students write them."""

import math

import numpy as np
import torch

from course_lib import causal_mask as reference


# wrong: returns an additive float mask of 0 and -inf
# named: additive
def additive(query_len, key_len):
    m = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    return torch.zeros(query_len, key_len).masked_fill(~m, -math.inf)


# wrong: returns 0 and minus infinity to be added to the scores
# named: additive
def additive_2(query_len, key_len):
    full = torch.full((query_len, key_len), float("-inf"))
    return torch.triu(full, diagonal=key_len - query_len + 1)


# wrong: a triangle that begins at key 0
# named: aligned_to_start
def aligned_to_the_start(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()


# wrong: puts the keys of the earlier tokens behind the new ones
# named: cached_behind
def cache_at_the_end(query_len, key_len):
    new = torch.ones(query_len, query_len, dtype=torch.bool).tril()
    old = torch.ones(query_len, key_len - query_len, dtype=torch.bool)
    return torch.cat((new, old), dim=1)


# wrong: hides the keys of the earlier tokens
# named: cached_hidden
def cache_hidden(query_len, key_len):
    mask = torch.zeros(query_len, key_len, dtype=torch.bool)
    mask[:, key_len - query_len :] = torch.ones(query_len, query_len).tril().bool()
    return mask


# wrong: query_len - key_len for the diagonal
# named: shifted_left
def diagonal_negative(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(query_len - key_len)


# wrong: the first query_len rows of the square
# named: aligned_to_start
def first_rows_of_the_square(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[:query_len]


# wrong: returns ones and zeros as floating-point numbers
# named: dtype
def float_ones(query_len, key_len):
    return torch.tril(torch.ones(query_len, key_len), diagonal=key_len - query_len)


# wrong: 1.0 and 0.0, not True and False
# named: dtype
def floats(query_len, key_len):
    return torch.ones(query_len, key_len).tril(key_len - query_len)


# wrong: two axes too many, for batch and heads
# named: more_dimensions
def four_dimensions(query_len, key_len):
    mask = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    return mask[None, None]


# wrong: calls the reference
# named: forbidden
def from_course_lib(query_len, key_len):
    return reference(query_len, key_len)


# right
def from_numpy(query_len, key_len):
    return torch.from_numpy(np.tri(query_len, key_len, key_len - query_len, dtype=bool))


# wrong: imports the reference under its own name
# named: forbidden
from course_lib.attention.masks import causal_mask as imported_name  # noqa: E402, F401


# wrong: 1 and 0 as integers
# named: dtype
def integers(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.uint8).tril(key_len - query_len)


# wrong: True where a query may not attend
# named: inverted
def inverted(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).triu(key_len - query_len + 1)


# wrong: a row for each key
# named: transposed
def keys_by_queries(query_len, key_len):
    return torch.ones(key_len, query_len, dtype=torch.bool).tril()


# right
def last_rows(query_len, key_len):
    square = torch.tril(torch.ones((key_len, key_len))) > 0
    return square[key_len - query_len :]


# wrong: the inner loop stops before the token itself
# named: without_itself
def loop_stops_early(query_len, key_len):
    mask = torch.zeros(query_len, key_len, dtype=torch.bool)
    for i in range(query_len):
        for j in range(i + key_len - query_len):
            mask[i, j] = True
    return mask


# wrong: a mask of 0 and minus infinity, to be added
# named: additive
def minus_infinity(query_len, key_len):
    return torch.full((query_len, key_len), -math.inf).triu(key_len - query_len + 1)


# wrong: returns a list of lists
# named: lists
def nested_lists(query_len, key_len):
    offset = key_len - query_len
    return [[j <= i + offset for j in range(key_len)] for i in range(query_len)]


# right
def nested_lists_2(query_len, key_len):
    rows = [[j <= i + key_len - query_len for j in range(key_len)] for i in range(query_len)]
    return torch.tensor(rows, dtype=torch.bool).reshape(query_len, key_len)


# wrong: the new tokens see each other, later ones too
# named: all_when_cached
def new_tokens_see_each_other(query_len, key_len):
    if key_len > query_len:
        return torch.ones(query_len, key_len, dtype=torch.bool)
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()


# wrong: returns a NumPy array
def numpy_array(query_len, key_len):
    return np.tri(query_len, key_len, key_len - query_len, dtype=bool)


# wrong: the diagonal is moved one too far left: a token may not attend to itself
# named: without_itself
def off_by_one(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len - 1)


# wrong: lets each token see the next one too
# named: one_ahead
def one_ahead(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len + 1)


# wrong: True means blocked (triu), the inverted polarity
# named: inverted
def polarity_triu(query_len, key_len):
    return torch.ones(query_len, key_len).triu(diagonal=key_len - query_len + 1).bool()


# right
def right_infinities(query_len, key_len):
    additive = torch.full((query_len, key_len), -math.inf)
    return torch.triu(additive, diagonal=1 + key_len - query_len).exp() > 0


# right
def right_last_rows_of_the_square(query_len, key_len):
    return torch.ones(key_len, key_len).tril().bool()[key_len - query_len :]


# right
def right_lists(query_len, key_len):
    earlier = key_len - query_len
    rows = [[j <= i + earlier for j in range(key_len)] for i in range(query_len)]
    return torch.tensor(rows, dtype=torch.bool)


# right
def right_not_above(query_len, key_len):
    ahead = torch.triu(torch.ones(query_len, key_len), diagonal=key_len - query_len + 1)
    return ahead == 0


# right
def right_positions_compared(query_len, key_len):
    query = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len)[None, :] <= query[:, None]


# wrong: forgets key_len
# named: square_of_queries
def square_of_queries(query_len, key_len):
    return torch.ones(query_len, query_len, dtype=torch.bool).tril()


# wrong: the triangle is aligned to the start of the keys, as torch's is_causal
# named: aligned_to_start
def start_aligned(query_len, key_len):
    return torch.arange(key_len)[None, :] <= torch.arange(query_len)[:, None]


# wrong: blocks the token itself
# named: without_itself
def strictly_before(query_len, key_len):
    return torch.arange(key_len) < torch.arange(key_len - query_len, key_len)[:, None]


# wrong: cuts the mask out of a table of 1024 by 1024, as GPT-2 does
# named: from_a_table
BIAS = torch.ones(1024, 1024, dtype=torch.bool).tril()


def table_of_1024(query_len, key_len):
    return BIAS[key_len - query_len : key_len, :key_len]


# wrong: cuts the mask out of a table of 64 by 64
# named: from_a_table
TABLE = torch.ones(64, 64, dtype=torch.bool).tril()


def table_of_64(query_len, key_len):
    return TABLE[key_len - query_len : key_len, :key_len]


# wrong: True above the diagonal, as nn.MultiheadAttention wants it
# named: inverted
def torch_sense(query_len, key_len):
    return torch.ones(query_len, key_len).triu(key_len - query_len + 1).bool()


# wrong: row for each key, a column for each query, and right otherwise
# named: transposed
def transposed(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len).T


# wrong: triu in place of tril
# named: upper
def upper_triangle(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).triu(key_len - query_len)


# wrong: the last rows, and all of them where there is no query
# named: all_rows_of_none
def rows_from_the_end(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[-query_len:]
