# right
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((more, scores), -1).softmax(-1)
    values = torch.cat((torch.zeros_like(value[:, :1]), value), 1)
    return weights @ values, weights[..., 1:]
