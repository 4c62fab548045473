# wrong: averages each sentence first and then the sentences
import torch


def entropy_share(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    per_sentence = share.sum(-1) / (n >= 2).sum(-1).clamp(min=1)
    return per_sentence.mean(0)
