# wrong: with a cache the queries stand one place too early
# named: one_too_early
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    first = key_len - query_len
    places = torch.arange(first, key_len) - (1 if first else 0)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance
