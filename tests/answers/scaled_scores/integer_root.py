# wrong: rounds the root down to a whole number
# named: whole_root

import math


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / int(math.sqrt(query.shape[-1]))
