# right
import torch


def alibi_scores(scores, slopes):
    keys = torch.arange(scores.shape[-1], dtype=scores.dtype)
    queries = keys[len(keys) - scores.shape[-2] :]
    bias = torch.einsum(
        "h,qk->hqk", slopes.to(scores.dtype), torch.cdist(queries[:, None], keys[:, None], p=1.0)
    )
    return scores - bias.unsqueeze(0)
