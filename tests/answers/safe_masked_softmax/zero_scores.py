# wrong: fills blocked scores with 0 and clears them afterwards
# named: zero_then_cleared
import torch


def safe_masked_softmax(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
    return weights.masked_fill(~mask, 0.0)
