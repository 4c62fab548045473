# wrong: uses the keys of the first sentence for all
# named: first_keys

import math


def scaled_scores(query, key):
    first = key.reshape(-1, *key.shape[-2:])[0]
    return query @ first.T / math.sqrt(query.shape[-1])
