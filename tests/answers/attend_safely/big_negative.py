# wrong: -1e9 instead: a query that may read nothing gets an even average
# named: lowest_number
import math


def attend_safely(query, key, value, mask):
    s = query @ key.mT / math.sqrt(query.shape[-1])
    w = s.masked_fill(~mask, -1e9).softmax(dim=-1)
    return w @ value, w
