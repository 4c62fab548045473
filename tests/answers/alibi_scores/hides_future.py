# wrong: hides the later keys as well
# named: masked
import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    d = torch.arange(k - q, k)[:, None] - torch.arange(k)
    out = scores - slopes[:, None, None] * d.abs()
    return out.masked_fill(d < 0, float("-inf"))
