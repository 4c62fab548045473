# wrong: uses .T, which turns all axes round
# named: all_dimensions_reversed
import math


def scaled_scores(query, key):
    return query @ key.T / math.sqrt(query.shape[-1])
