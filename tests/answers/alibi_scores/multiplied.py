# wrong: the scores are multiplied by minus slope times distance
# named: scaled_down
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores * (1 - slopes[:, None, None] * distance)
