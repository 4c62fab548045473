# right

import torch


def entropy_share(weights, mask):
    full = torch.broadcast_to(mask, weights.shape)
    result = []
    for head in range(weights.shape[1]):
        w = weights[:, head].flatten(0, 1)
        n = full[:, head].flatten(0, 1).sum(-1)
        w, n = w[n > 1], n[n > 1]
        result.append((torch.special.entr(w).sum(-1) / n.log()).mean())
    return torch.stack(result)
