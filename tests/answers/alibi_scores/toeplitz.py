# right

import torch


def alibi_scores(scores, slopes):
    q, k = scores.shape[-2:]
    row = torch.arange(k, device=scores.device)
    col = row[k - q :].reshape(q, 1)
    gap = torch.maximum(row, col) - torch.minimum(row, col)
    return torch.sub(scores, torch.einsum("h,qk->hqk", slopes, gap.to(slopes.dtype)))
