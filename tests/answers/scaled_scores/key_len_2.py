# wrong: divides by the root of the number of keys
# named: key_len
import math


def scaled_scores(query, key):
    return query @ key.mT / math.sqrt(key.size(-2))
