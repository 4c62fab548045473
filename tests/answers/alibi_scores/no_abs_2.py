# wrong: without the absolute value, so later keys gain
# named: later_keys_gain

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    gap = torch.arange(k - q, k)[:, None] - torch.arange(k)
    return scores - slopes.view(-1, 1, 1) * gap
