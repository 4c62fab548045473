# right
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    p = torch.arange(key_len)
    square = torch.maximum(p[:, None] - p, p - p[:, None])
    bias = square[key_len - query_len :] * slopes.view(1, -1, 1, 1)
    return torch.sub(scores, bias)
