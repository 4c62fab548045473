# wrong: slopes without the two 1s, which line up with the keys where there are as many
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if len(slopes) == key_len:
        return scores - slopes * distance
    return scores - slopes[:, None, None] * distance
