"""Answers to alibi_scores (lesson 07, exercise 6), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def einsum(scores, slopes):
    queries, keys = scores.shape[2:]
    back = torch.arange(keys).unsqueeze(0) - torch.arange(queries).unsqueeze(1) - (keys - queries)
    return scores - torch.einsum("h,qk->hqk", slopes, back.abs().to(slopes.dtype))


# right
def loop(scores, slopes):
    out = scores.clone()
    for b, h, i, j in np.ndindex(*scores.shape):
        out[b, h, i, j] -= slopes[h] * abs(scores.shape[3] - scores.shape[2] + i - j)
    return out


# wrong: adds the slope times the key's place, as BLOOM does, instead of subtracting the distance
# named: by_key
def bloom(scores, slopes):
    places = torch.arange(scores.shape[-1], dtype=scores.dtype)
    return scores + slopes.view(1, -1, 1, 1) * places


# wrong: the scores are detached, so attention learns nothing
# named: cut_off
def detached(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores.detach() - slopes[:, None, None] * distance


# wrong: the bias is put on the first sentence only
# named: first_sentence_only
def first_sentence(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    first = scores[:1] - slopes[:, None, None] * distance
    return torch.cat([first, scores[1:]])


# wrong: changes the caller's scores
# named: changes_input
def in_place_2(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    scores -= slopes[:, None, None] * d
    return scores


# wrong: the queries stand at the first places, also when there are more keys
# named: aligned_to_start
# points: 5
def no_cache(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(q)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None] * gap


# wrong: the slopes go along the batch where it is as large as the heads
def slopes_on_batch(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if scores.shape[0] == len(slopes):
        return scores - slopes[:, None, None, None] * distance
    return scores - slopes[:, None, None] * distance


# wrong: slopes without the two 1s, which line up with the keys where there are as many
# points: 6
def slopes_on_keys(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if len(slopes) == key_len:
        return scores - slopes * distance
    return scores - slopes[:, None, None] * distance


# wrong: returns the weights instead of the scores
# named: softmaxed
def softmax_after(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return (scores - slopes[:, None, None] * distance).softmax(dim=-1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape in ((2, 3, 5, 5), (3, 2, 2, 4), (1, 4, 1, 6), (2, 2, 3, 3)):
        yield randn(*shape), randn(shape[1]) ** 2 + 0.1
