# wrong: -1e9 and zeros after it, which float16 cannot hold
# named: filled_then_cleared
import torch


def safe_masked_softmax(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights.masked_fill(~mask, 0.0)
