# wrong: drops the blocked scores, so all rows run together
# named: blocked_dropped
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores[mask.expand(scores.shape)], dim=-1)
