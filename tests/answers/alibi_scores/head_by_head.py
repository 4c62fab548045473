# right
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[2], scores.shape[3]
    offset = key_len - query_len
    rows = torch.stack([(torch.arange(key_len) - (i + offset)).abs() for i in range(query_len)])
    return torch.stack([scores[:, h] - s * rows for h, s in enumerate(slopes)], dim=1)
