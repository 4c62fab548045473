"""Answers to subject_head (lesson 11, exercise 2), right and wrong, as students write them."""

import functools
import statistics

import numpy as np
import torch
import torch.nn.functional as F

import course_checks as checks


# right
def loop(weights, query_positions, subject_positions):
    best = (0, 0, -1.0)
    for layer, head in np.ndindex(weights.shape[0], weights.shape[2]):
        pairs = zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
        on_subject = [weights[layer, b, head, i, j].item() for b, (i, j) in enumerate(pairs)]
        best = max(best, (layer, head, statistics.mean(on_subject)), key=lambda answer: answer[2])
    return best


# right
def hot(weights, query_positions, subject_positions):
    length = weights.shape[-1]
    query, subject = (F.one_hot(p, length).float() for p in (query_positions, subject_positions))
    scores = torch.einsum("lbhij,bi,bj->lh", weights, query, subject) / len(query)
    layer, head = torch.unravel_index(scores.argmax(), scores.shape)
    return torch.stack([layer, head, scores.max()])


# wrong: the verb itself as the query
# named: query_one_later
def at_the_verb(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions + 1, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: after the indexing the sentences come first; averages over the layers instead
# named: mean_over_layers
def axes_after_indexing(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    on_subject = weights[:, b, :, query_positions, subject_positions]
    means = on_subject.mean(dim=1)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


# wrong: divides the flat index by the number of layers, not of heads
# named: wrong_divisor
# points: 2
def divmod_layers_2(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, query_positions, subject_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[0])
    return layer, head, w.max().item()


# wrong: the first layer only
# named: last_layer_only
# points: 2
def first_layer(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means[0].argmax())
    return 0, head, float(means[0, head])


# wrong: the first query for all sentences
# named: one_position_for_all
def first_query_for_all(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions[0], subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: the first sentence only
# named: largest_in_any_sentence
def first_sentence(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = weights[:, 0, :, query_positions[0], subject_positions[0]]
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: the first subject for all sentences
# named: one_subject_for_all
def first_subject_for_all(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions[0]].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: numbers from 1
# named: from_one
def from_one(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer + 1, head + 1, float(means[layer, head])


# wrong: returns (head, layer, weight)
# named: layer_and_head_exchanged
def head_then_layer(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return head, layer, means[layer, head].item()


# wrong: the token before the one asked for
# named: query_one_earlier
def one_earlier(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions - 1, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: argmin for argmax
# named: smallest
def smallest(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmin()), heads)
    return layer, head, float(means[layer, head])


# wrong: the sum instead of the mean
# named: sum_of_sentences
def summed(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].sum(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: query and subject positions are exchanged in the index
# named: axes_exchanged
def swapped_axes(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, subject_positions, query_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()


# wrong: each sentence meets the positions of all others
# named: sentences_crossed
def without_arange(weights, query_positions, subject_positions):
    means = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


# wrong: returns a flat index and the weight
# says: expected (3,), that is (layer, head, weight)
def flat_index(weights, query_positions, subject_positions):
    layer, head, weight = checks.subject_head.exercise.reference(
        weights, query_positions, subject_positions
    )
    return layer * weights.shape[2] + head, weight


# wrong: the head with the best mean over the layers
# named: best_layer_first
# points: 3
def mean_over_layers(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means.mean(0).argmax())
    layer = int(means[:, head].argmax())
    return layer, head, float(means[layer, head])


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for num_layers, num_heads in ((2, 2), (3, 4), (4, 3)):
        places = (torch.randint(6, (5,), generator=generator) for _ in range(2))
        yield randn(num_layers, 5, num_heads, 6, 6).softmax(-1), *places
