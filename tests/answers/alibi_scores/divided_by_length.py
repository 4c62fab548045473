# wrong: the distance is divided by the number of keys
# named: shares
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs() / key_len
    return scores - slopes[:, None, None] * distance
