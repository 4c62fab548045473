# wrong: puts all weight on the best key
# named: hard_lookup

import torch.nn.functional as F


def attend_all(query, key, value):
    scores = query @ key.T
    weights = F.one_hot(scores.argmax(dim=-1), len(key)).to(query.dtype)
    return weights @ value, weights
