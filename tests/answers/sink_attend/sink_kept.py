# wrong: the weights of the sink come back too
# named: its_column_too
import math

import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    all_weights = torch.cat((scores, more), -1).softmax(-1)
    weights = all_weights[..., :-1]
    return weights @ value, all_weights
