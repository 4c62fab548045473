# wrong: the table of distances is (key, query), which fits where the lengths are equal
# named: aligned_to_start
import torch


def alibi_scores(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    keys = torch.arange(key_len)
    distance = (torch.arange(query_len) - keys[:, None]).abs()
    if query_len == key_len:
        return scores - slopes[:, None, None] * distance
    return scores - slopes[:, None, None] * distance.T
