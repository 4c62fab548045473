# wrong: the queries stand one place too late
# named: one_too_late
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len) + 1
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance
