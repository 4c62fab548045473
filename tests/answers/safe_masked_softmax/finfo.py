# wrong: fills with the lowest number of the dtype divided by a million, which in float16 is only -0.07 and blocks nothing

import torch


def safe_masked_softmax(scores, mask):
    w = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min / 1e6), dim=-1)
    return w.masked_fill(~mask.any(-1, keepdim=True), 0.0)
