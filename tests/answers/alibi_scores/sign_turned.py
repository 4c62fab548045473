# wrong: key minus query without abs
# named: earlier_keys_gain
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = torch.arange(key_len) - places[:, None]
    return scores - slopes[:, None, None] * distance
