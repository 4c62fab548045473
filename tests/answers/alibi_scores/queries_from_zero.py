# wrong: the queries begin at place 0 although there are more keys
# named: aligned_to_start
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    distance = (torch.arange(query_len)[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance
