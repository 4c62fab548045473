# right
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    gate = torch.sigmoid(scores.logsumexp(-1, keepdim=True) - sink[:, None, None])
    weights = scores.softmax(-1) * gate
    return weights @ value, weights
