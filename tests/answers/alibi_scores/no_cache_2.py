# wrong: counts the queries from 0 although keys lie before them
# named: aligned_to_start
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(q)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None] * d
