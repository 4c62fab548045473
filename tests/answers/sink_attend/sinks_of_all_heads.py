# wrong: each head gets the sinks of all heads
# named: sinks_of_all_heads
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[None, None, :].expand(*scores.shape[:2], len(sink))
    weights = torch.cat((scores, more), -1).softmax(-1)[..., : scores.shape[-1]]
    return weights @ value, weights
