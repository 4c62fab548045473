# right
import torch


def alibi_scores(scores, slopes):
    place = torch.arange(scores.shape[-1], dtype=slopes.dtype).unsqueeze(1)
    asked = place[scores.shape[-1] - scores.shape[-2] :]
    loss = torch.einsum("h,qk->hqk", slopes, torch.cdist(asked, place, p=1.0))
    return scores.sub(loss.to(scores.dtype))
