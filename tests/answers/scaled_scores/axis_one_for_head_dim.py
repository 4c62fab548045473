# wrong: takes head_dim from shape[1], which is the length once there is a batch
# named: second_dimension

import math


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[1])
