# wrong: the bias is put on the first sentence only
# named: first_sentence_only
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    first = scores[:1] - slopes[:, None, None] * distance
    return torch.cat([first, scores[1:]])
