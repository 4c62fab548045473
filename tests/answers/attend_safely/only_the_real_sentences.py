# right
import math


def attend_safely(query, key, value, mask):
    batch, heads, query_len, head_dim = query.shape
    weights = query.new_zeros(batch, heads, query_len, key.shape[2])
    full = mask.flatten(1).any(dim=1)
    scores = query[full] @ key[full].mT / math.sqrt(head_dim)
    some = scores.masked_fill(~mask[full], -math.inf).softmax(dim=-1)
    weights = weights.index_put((full,), some)
    return weights @ value, weights
