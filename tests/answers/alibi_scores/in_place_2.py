# wrong: changes the caller's scores
# named: changes_input
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    scores -= slopes[:, None, None] * d
    return scores
