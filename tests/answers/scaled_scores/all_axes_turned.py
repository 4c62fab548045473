# wrong: key.T, which turns the leading dimensions around as well

import math


def scaled_scores(query, key):
    return query @ key.T / math.sqrt(query.shape[-1])
