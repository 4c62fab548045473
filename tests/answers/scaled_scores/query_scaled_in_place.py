# wrong: divides the caller's query in place
# named: changes_input

import math


def scaled_scores(query, key):
    query /= math.sqrt(query.shape[-1])
    return query @ key.transpose(-2, -1)
