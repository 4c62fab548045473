# wrong: a score of 0 in place of the sink
# named: off_by_one
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = torch.zeros_like(scores[..., :1])
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights
