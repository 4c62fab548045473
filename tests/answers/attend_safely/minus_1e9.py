# wrong: -1e9 instead of minus infinity, so an empty row spreads its weight evenly
# named: lowest_number
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1)
    return weights @ value, weights
