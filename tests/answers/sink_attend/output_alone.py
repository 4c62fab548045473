# wrong: the output alone
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value
