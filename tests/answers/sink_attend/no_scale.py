# wrong: no square root of head_dim
# named: not_scaled
import torch


def sink_attend(query, key, value, sink):
    scores = query @ key.mT
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights
