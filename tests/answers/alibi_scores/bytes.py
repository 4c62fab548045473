# wrong: the distances are stored as bytes, so 256 is 0
# named: wraps_at_256
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().to(torch.uint8)
    return scores - slopes[:, None, None] * distance
