# wrong: -10000 and zeros after it: lower scores lose to it
# named: filled_then_cleared
import torch


def safe_masked_softmax(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    return weights.masked_fill(~mask, 0.0)
