# wrong: key.T, which turns the leading dimensions around as well
# named: all_dimensions_reversed

import math


def scaled_scores(query, key):
    return query @ key.T / math.sqrt(query.shape[-1])
