"""Answers to causal_mask (lesson 05, exercise 1), right and wrong, as students write them."""

import math

import torch


# right
def by_positions(query_len, key_len):
    positions = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len) <= positions.unsqueeze(-1)


# right
def triu(query_len, key_len):
    return torch.triu(torch.ones(query_len, key_len), diagonal=key_len - query_len + 1) == 0


# right
def loop(query_len, key_len):
    back = key_len - query_len
    return torch.tensor([[j <= back + i for j in range(key_len)] for i in range(query_len)])


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


# wrong: 1.0 and 0.0, not True and False
# named: dtype
# points: 4
def floats(query_len, key_len):
    return torch.ones(query_len, key_len).tril(key_len - query_len)


# wrong: imports the reference under its own name
# named: forbidden
from course_lib.attention.masks import causal_mask as imported_name  # noqa: E402, F401


# wrong: a row for each key
# named: transposed
def keys_by_queries(query_len, key_len):
    return torch.ones(key_len, query_len, dtype=torch.bool).tril()


# wrong: a mask of 0 and minus infinity, to be added
# named: additive
def minus_infinity(query_len, key_len):
    return torch.full((query_len, key_len), -math.inf).triu(key_len - query_len + 1)


# wrong: returns a list of lists
# named: lists
def nested_lists(query_len, key_len):
    offset = key_len - query_len
    return [[j <= i + offset for j in range(key_len)] for i in range(query_len)]


# wrong: blocks the token itself
# named: without_itself
def strictly_before(query_len, key_len):
    return torch.arange(key_len) < torch.arange(key_len - query_len, key_len)[:, None]


# wrong: cuts the mask out of a table of 64 by 64
# named: from_a_table
# points: 3
TABLE = torch.ones(64, 64, dtype=torch.bool).tril()


def table_of_64(query_len, key_len):
    return TABLE[key_len - query_len : key_len, :key_len]


# wrong: returns nothing
# says: is there a return at its end?
# says: Your function
def no_return(q, k):
    return None


# wrong: the last rows, and all of them where there is no query
# named: all_rows_of_none
def rows_from_the_end(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[-query_len:]


# other inputs
def other_inputs(generator):
    yield from ((6, 6), (1, 3), (2, 9), (3, 4))
