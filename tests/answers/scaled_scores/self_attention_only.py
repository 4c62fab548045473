# wrong: multiplies the query by itself
# named: query_twice

import math


def scaled_scores(query, key):
    return query @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])
