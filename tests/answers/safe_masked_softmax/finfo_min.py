# wrong: fills in the smallest number, so that an empty row looks at all its blocked keys
# named: lowest_number
import torch


def safe_masked_softmax(scores, mask):
    low = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, low), dim=-1)
