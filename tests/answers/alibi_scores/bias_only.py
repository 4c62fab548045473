# wrong: returns what is to be subtracted, not the new scores
# named: penalty_for_each
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return (-slopes[:, None, None] * distance).expand(scores.shape)
