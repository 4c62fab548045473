# wrong: divides the distance by the number of keys
# named: shares
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs() / k
    return scores - slopes[:, None, None] * d
