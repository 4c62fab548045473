# wrong: the sink as a key vector
# named: sink_as_a_key
import math

import torch


def sink_attend(query, key, value, sink):
    more = sink[:, None, None].expand(-1, 1, key.shape[-1])
    keys = torch.cat((key, more), 1)
    scores = query @ keys.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(-1)[..., :-1]
    return weights @ value, weights
