# wrong: normalises queries and keys to length 1 first
# named: cosine

import torch
import torch.nn.functional as F


def attend_all(query, key, value):
    scores = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).T
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
