# wrong: transpose(0, 1), which swaps the last two axes only without a batch
# named: first_two_transposed

import math


def scaled_scores(query, key):
    return query @ key.transpose(0, 1) / math.sqrt(query.shape[-1])
