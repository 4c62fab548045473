# wrong: fills blocked scores with 0
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
