# wrong: divides by the root of the key length, not of head_dim
# named: key_len
import math


def scaled_scores(query, key):
    return query @ key.mT / math.sqrt(key.shape[-2])
