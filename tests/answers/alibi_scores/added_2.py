# wrong: adds instead of subtracting
# named: added
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(q)[:, None] + (k - q) - torch.arange(k)).abs()
    return scores + slopes[None, :, None, None] * d
