# wrong: masks after the softmax
# named: masked_after
import torch


def safe_masked_softmax(scores, mask):
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
