# wrong: adds the penalty instead of subtracting it
# named: added

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    return scores + slopes[:, None, None] * gap
