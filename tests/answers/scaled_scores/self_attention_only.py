# wrong: multiplies the query by itself

import math


def scaled_scores(query, key):
    return query @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])
