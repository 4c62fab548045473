# wrong: takes the size of axis 1 for head_dim, which is the length when there is one batch dimension
# named: second_dimension
import math


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[1])
