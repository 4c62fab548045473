# wrong: a table of distances for 128 places, larger ones count as 127
# named: far_keys_alike
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().clamp(max=127)
    return scores - slopes[:, None, None] * distance
