# wrong: keys ahead of the query keep their score
# named: later_keys_free
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).clamp(min=0)
    return scores - slopes[:, None, None] * distance
