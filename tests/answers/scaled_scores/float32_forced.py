# wrong: casts to float32
# named: dtype

import math


def scaled_scores(query, key):
    return query.float() @ key.float().transpose(-2, -1) / math.sqrt(query.shape[-1])
