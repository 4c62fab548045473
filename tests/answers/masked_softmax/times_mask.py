# wrong: multiplies the scores by the mask, so blocked scores are 0 and still share
# named: filled_with_zero

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores * mask, dim=-1)
