# wrong: hides the keys ahead as well
# named: masked
import math

import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = places[:, None] - torch.arange(key_len)
    return (scores - slopes[:, None, None] * distance).masked_fill(distance < 0, -math.inf)
