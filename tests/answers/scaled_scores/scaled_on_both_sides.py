# wrong: divides query and key by the root each, so head_dim divides twice
# named: no_square_root

import math


def scaled_scores(query, key):
    root = math.sqrt(query.shape[-1])
    return (query / root) @ (key / root).transpose(-2, -1)
