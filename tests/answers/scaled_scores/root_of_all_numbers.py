# wrong: takes the root of query.numel()
# named: all_numbers

import math


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.numel())
