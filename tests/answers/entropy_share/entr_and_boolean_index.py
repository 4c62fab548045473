# right

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    entropy = torch.special.entr(weights).sum(-1).transpose(0, 1).flatten(1)
    allowed = allowed.transpose(0, 1).flatten(1)
    rows = [(e[a > 1] / a[a > 1].log()).mean() for e, a in zip(entropy, allowed, strict=True)]
    return torch.stack(rows)
