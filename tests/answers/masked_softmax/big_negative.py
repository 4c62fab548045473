# wrong: fills blocked scores with -1e4, which is not low enough for scores of any size
# named: filled_with_1e4

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
