# wrong: the distance to the last key, the same for all queries, as in a row of biases
# named: from_the_end
import torch


def alibi_scores(scores, slopes):
    key_len = scores.shape[-1]
    distance = key_len - 1 - torch.arange(key_len)
    return scores - slopes[:, None, None] * distance
