# wrong: divides by 4, the root of the head_dim of the example
# named: constant

import math


def scaled_scores(query, key):
    head_dim = 16
    return query @ key.transpose(-2, -1) / math.sqrt(head_dim)
