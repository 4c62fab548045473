# wrong: -1e9, so an empty row looks at everything
# named: minus_1e9
import torch


def safe_masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
