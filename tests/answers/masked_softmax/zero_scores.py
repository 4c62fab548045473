# wrong: fills blocked scores with 0
# named: filled_with_zero
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
