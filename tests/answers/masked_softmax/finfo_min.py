# wrong: fills in the smallest number of the dtype, which is not below every allowed score
# named: filled_with_lowest
import torch


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
