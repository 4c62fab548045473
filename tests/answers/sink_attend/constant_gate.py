# wrong: a gate that does not look at the scores
# named: gate
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(-1) * torch.sigmoid(-sink)[:, None, None]
    return weights @ value, weights
