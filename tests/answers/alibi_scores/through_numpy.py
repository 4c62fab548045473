# right
import numpy as np
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = np.arange(key_len)
    distance = np.abs(places[key_len - query_len :, None] - places[None])
    bias = slopes.reshape(-1, 1, 1) * torch.from_numpy(distance).to(scores.dtype)
    return scores.sub(bias)
