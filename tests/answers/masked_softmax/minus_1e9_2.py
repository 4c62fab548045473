# wrong: fills in -1e9, which float16 cannot hold and which some scores are below
# named: filled_with_1e4
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
