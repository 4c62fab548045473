# wrong: subtracts the signed distance, so later keys gain
# named: later_keys_gain
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = torch.arange(k - q, k)[:, None] - torch.arange(k)
    return scores - slopes[:, None, None] * d
