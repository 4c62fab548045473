# wrong: later keys are hidden with -inf as well
# named: masked
import math

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    gap = torch.arange(k - q, k)[:, None] - torch.arange(k)
    return (scores - slopes[:, None, None] * gap.abs()).masked_fill(gap < 0, -math.inf)
