# wrong: the logarithm of the distance
# named: logarithm
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().float().log1p()
    return scores - slopes[:, None, None] * distance
