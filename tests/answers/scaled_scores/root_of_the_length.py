# wrong: takes the root of the number of tokens
# named: query_len

import math


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-2])
