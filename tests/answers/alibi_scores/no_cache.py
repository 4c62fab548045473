# wrong: the queries stand at the first places, also when there are more keys
# named: aligned_to_start

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(q)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None] * gap
