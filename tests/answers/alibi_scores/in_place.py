# wrong: the caller's scores are changed
# named: changes_input
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    with torch.no_grad():
        scores -= slopes[:, None, None] * distance
    return scores
