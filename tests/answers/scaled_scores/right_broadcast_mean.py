# right

import math


def scaled_scores(query, key):
    products = query.unsqueeze(-2) * key.unsqueeze(-3)
    return products.mean(dim=-1) * math.sqrt(key.shape[-1])
