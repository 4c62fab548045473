"""Answers to previous_token (lesson 10, exercise 2), right and wrong, as students write them."""

import torch


# wrong: how often the previous key is the largest
# named: share_of_maxima
def argmax_share(weights):
    n = weights.shape[-1]
    hit = weights[:, :, 1:].argmax(-1) == torch.arange(n - 1)
    return hit.float().mean(dim=(0, 2))


# wrong: diagonal(-1) without axes runs over batch and heads
def batch_head_diagonal(weights):
    return weights.diagonal(-1).mean(dim=(0, 1))


# right
def cut_then_diagonal(weights):
    return torch.diagonal(weights[..., 1:, :-1], dim1=2, dim2=3).mean((0, -1))


# right
def detached(weights):
    return weights.detach().diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, 2))


# wrong: divides by all queries
# named: first_query_counts
def divided_by_length(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum(dim=2).mean(dim=0) / weights.shape[-1]


# wrong: divides by the number of all queries
# named: first_query_counts
def divides_by_length(weights):
    B, H, L, _ = weights.shape
    return weights.diagonal(-1, dim1=2, dim2=3).sum(dim=(0, 2)) / (B * L)


# right
def einsum(weights):
    B, _, L, _ = weights.shape
    return torch.einsum("bhii->h", weights[:, :, 1:, :-1]) / (B * (L - 1))


# wrong: all keys before
# named: all_keys_before
def everything_before(weights):
    return weights.tril(-1).sum(-1)[:, :, 1:].mean(dim=(0, 2))


# right
def eye(weights):
    n = weights.shape[-1]
    shifted = torch.eye(n, dtype=weights.dtype)[:-1]
    return torch.einsum("bhqk,qk->h", weights[:, :, 1:], shifted) / (weights.shape[0] * (n - 1))


# wrong: the first key
# named: first_key
def first_key(weights):
    return weights[:, :, 1:, 0].mean(dim=(0, 2))


# wrong: the first sentence only
# named: first_sentence_only
def first_sentence(weights):
    return weights[0].diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)


# wrong: the last query only
# named: last_query_only
def last_query(weights):
    return weights[:, :, -1, -2].mean(dim=0)


# wrong: divides by the length, not by length - 1
# named: first_query_counts
def length(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum((0, 2)) / (
        weights.shape[0] * weights.shape[2]
    )


# right
def loop(weights):
    n = weights.shape[-1]
    total = 0
    for query in range(1, n):
        total = total + weights[:, :, query, query - 1].mean(dim=0)
    return total / (n - 1)


# wrong: takes the main diagonal without its first cell (a token's weight on itself)
def main(weights):
    i = torch.arange(1, weights.shape[-1])
    return weights[:, :, i, i].mean((0, 2))


# wrong: the median instead of the mean
def median(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).transpose(0, 1).flatten(1).median(dim=1).values


# wrong: the key after the query
# named: next_token
def key_after_the_query(weights):
    return weights.diagonal(1, dim1=-2, dim2=-1).mean(dim=(0, 2))


# wrong: the diagonal above: the key after the query
# named: next_token
def next_token(weights):
    return weights.diagonal(1, dim1=-2, dim2=-1).mean(dim=(0, -1))


# wrong: a number for each sentence
# named: not_over_sentences | shape
def not_over_batch(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=2)


# wrong: one number for all heads
# named: one_number
def one_number(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean()


# wrong: one mean over all heads
# named: one_number
def one_number_2(weights):
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean()


# wrong: a mean over the heads
# named: one_for_each_sentence
def over_heads(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(1, 2))


# wrong: the query's own token
# named: same_token
def own(weights):
    return weights.diagonal(0, dim1=-2, dim2=-1).mean(dim=(0, 2))


# wrong: keeps the batch, (batch, num_heads), instead of the mean over all sentences
# named: not_over_sentences
def per_sentence(weights):
    return torch.diagonal(weights, -1, 2, 3).mean(dim=-1)


# wrong: keeps the batch
# named: not_over_sentences
def per_sentence_2(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)


# wrong: a sum over the batch
# named: sum_over_sentences
def previous_of_previous_sentence_sum(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=2).sum(dim=0)


# wrong: rolls, so that the first query meets the last key
# named: wraps_round
def rolled(weights):
    return weights.roll(1, dims=-1).diagonal(dim1=-2, dim2=-1).mean(dim=(0, 2))


# right
def shift_eye(weights):
    n = weights.shape[-1]
    line = torch.eye(n, dtype=weights.dtype).roll(1, dims=0)
    line[0] = 0
    return torch.einsum("bhqk,qk->h", weights, line) / (len(weights) * (n - 1))


# wrong: rows taken for keys
# named: next_token
def transposed(weights):
    return weights.mT.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, 2))


# wrong: two tokens back
# named: two_back
def two_back(weights):
    return weights.diagonal(-2, dim1=-2, dim2=-1).mean(dim=(0, 2))


# right
def two_indices(weights):
    queries = torch.arange(1, weights.shape[-1])
    return weights[:, :, queries, queries - 1].transpose(0, 1).flatten(1).mean(dim=1)


# wrong: index -1 lets the first query look at the last key
# named: wraps_round
def wraps_round(weights):
    i = torch.arange(weights.shape[-1])
    return weights[:, :, i, i - 1].mean(dim=(0, 2))
