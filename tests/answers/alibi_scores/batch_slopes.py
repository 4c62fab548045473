# wrong: lays the slopes along the batch instead of along the heads
# named: slopes_by_batch

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None, None] * gap
