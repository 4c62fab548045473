# wrong: key @ query^T, so row i is about key i
# named: roles_exchanged

import math


def scaled_scores(query, key):
    return key @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])
