# wrong: the smallest number of the dtype, so an empty row has equal shares
# named: lowest_number
import torch


def safe_masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim=-1)
