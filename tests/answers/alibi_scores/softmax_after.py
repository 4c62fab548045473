# wrong: returns the weights instead of the scores
# named: softmaxed
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return (scores - slopes[:, None, None] * distance).softmax(dim=-1)
