# wrong: uses the slopes 1/2, 1/4, ... of the paper instead of those given
# named: own_slopes
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    own = 2.0 ** -torch.arange(1, len(slopes) + 1)
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - own[:, None, None] * distance
