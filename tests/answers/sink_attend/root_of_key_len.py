# wrong: the square root of the number of keys
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(key.shape[1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights
