# wrong: the distance has a sign, so keys behind lose and keys ahead gain
# named: later_keys_gain
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = places[:, None] - torch.arange(key_len)
    return scores - slopes[:, None, None] * distance
