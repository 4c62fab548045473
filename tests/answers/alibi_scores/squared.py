# wrong: the square of the distance
# named: squared
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)) ** 2
    return scores - slopes[:, None, None] * distance
