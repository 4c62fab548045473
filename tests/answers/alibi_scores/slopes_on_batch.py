# wrong: the slopes go along the batch where it is as large as the heads
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if scores.shape[0] == len(slopes):
        return scores - slopes[:, None, None, None] * distance
    return scores - slopes[:, None, None] * distance
