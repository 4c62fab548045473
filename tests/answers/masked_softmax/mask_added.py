# wrong: adds the mask as 1 and 0 to the scores
# named: mask_added
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores + mask.to(scores.dtype), dim=-1)
