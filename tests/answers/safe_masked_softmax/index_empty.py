# wrong: indexes the weights with the rows' mask, which fits only a mask of the shape of the scores
import torch


def safe_masked_softmax(scores, mask):
    empty = ~mask.any(dim=-1)
    safe = mask.clone()
    safe[empty] = True
    w = torch.softmax(scores.masked_fill(~safe, float("-inf")), dim=-1)
    w[empty] = 0
    return w
