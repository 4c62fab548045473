# wrong: the sink is divided by the square root too
# named: scaled_too
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = (sink / math.sqrt(query.shape[-1]))[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights
