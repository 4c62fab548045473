"""Answers to subject_head (lesson 11, exercise 2), right and wrong, as students write them."""

import numpy as np
import torch


# wrong: indexes without arange: each sentence meets the positions of all others
# named: sentences_crossed
def all_pairs(weights, query_positions, subject_positions):
    w = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    i = w.argmax().item()
    layer, head = divmod(i, w.shape[1])
    return layer, head, w.max().item()


# wrong: the mean over all queries
# named: all_queries
def all_queries(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = torch.stack(
        [weights[:, b, :, :, s].mean(-1) for b, s in enumerate(subject_positions.tolist())]
    ).mean(0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: the verb itself as the query
# named: query_one_later
def at_the_verb(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions + 1, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: reads the row of the verb itself, one place too far
# named: query_one_later
def at_the_verb_2(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    rows = (query_positions + 1).clamp(max=weights.shape[-1] - 1)
    means = weights[:, b, :, rows, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


# wrong: after the indexing the sentences come first; averages over the layers instead
# named: mean_over_layers
def axes_after_indexing(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    found = weights[:, b, :, query_positions, subject_positions]
    means = found.mean(dim=1)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


# wrong: the best layer by its mean
# named: best_layer_first
def best_layer_first(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer = int(means.mean(1).argmax())
    head = int(means[layer].argmax())
    return layer, head, float(means[layer, head])


# wrong: all positions for all sentences
# named: sentences_crossed
def crossed(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: divides by the number of layers
# named: wrong_divisor
def divmod_layers(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), layers)
    return layer, head, float(means.max())


# wrong: divides the flat index by the number of layers, not of heads
# named: wrong_divisor
def divmod_layers_2(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, query_positions, subject_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[0])
    return layer, head, w.max().item()


# wrong: divides the index by the number of layers instead of the heads
# named: wrong_divisor
def divmod_layers_3(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), weights.shape[0])
    return layer, head, means.max().item()


# right
def einsum_one_hot(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    n = weights.shape[-1]
    q = torch.nn.functional.one_hot(query_positions, n).to(weights.dtype)
    s = torch.nn.functional.one_hot(subject_positions, n).to(weights.dtype)
    means = torch.einsum("lbhqk,bq,bk->lh", weights, q, s) / batch
    value, index = means.flatten().max(dim=0)
    return index.item() // heads, index.item() % heads, value.item()


# wrong: the first layer only
# named: last_layer_only
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


# right
def gather(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    n = weights.shape[-1]
    q = query_positions.view(1, -1, 1, 1, 1).expand(layers, batch, heads, 1, n)
    rows = weights.gather(3, q)[:, :, :, 0]
    k = subject_positions.view(1, -1, 1, 1).expand(layers, batch, heads, 1)
    means = rows.gather(3, k)[..., 0].mean(dim=1)
    return int(means.max(1).values.argmax()), int(means.max(0).values.argmax()), means.max().item()


# right
def gather_2(weights, query_positions, subject_positions):
    L, B, H, n, _ = weights.shape
    flat = weights.flatten(-2)
    index = (query_positions * n + subject_positions).view(1, B, 1, 1).expand(L, B, H, 1)
    means = flat.gather(-1, index).squeeze(-1).mean(dim=1)
    best = max((means[a, b].item(), -a, -b) for a in range(L) for b in range(H))
    return -best[1], -best[2], best[0]


# wrong: head before layer
# named: layer_and_head_exchanged
def head_first(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return head, layer, float(means[layer, head])


# wrong: returns (head, layer, weight)
# named: layer_and_head_exchanged
def head_then_layer(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return head, layer, means[layer, head].item()


# wrong: the flat index
def index_only(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    return int(means.argmax()), float(means.max())


# wrong: the largest in any sentence
# named: largest_in_any_sentence
def largest(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].amax(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: takes the largest weight in any sentence instead of the mean
# named: largest_in_any_sentence
def largest_single(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    best = weights[:, b, :, query_positions, subject_positions].amax(dim=0)
    layer, head = divmod(best.argmax().item(), best.shape[1])
    return layer, head, best[layer, head].item()


# wrong: the last layer only
# named: last_layer_only
def last_layer(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means[-1].argmax())
    return layers - 1, head, float(means[-1, head])


# right
def loops(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    best = (-1, -1, -1.0)
    for layer in range(layers):
        for head in range(heads):
            total = 0.0
            for b in range(batch):
                total += float(weights[layer, b, head, query_positions[b], subject_positions[b]])
            if total / batch > best[2]:
                best = (layer, head, total / batch)
    return best


# wrong: takes the largest weight of any one sentence instead of the mean over the sentences
# named: largest_in_any_sentence
def max_not_mean(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, query_positions, subject_positions].amax(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()


# wrong: the head with the best mean over the layers
# named: best_layer_first
def mean_over_layers(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means.mean(0).argmax())
    layer = int(means[:, head].argmax())
    return layer, head, float(means[layer, head])


# wrong: the median of the sentences
def median(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].median(dim=0).values
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# right
def nested_max(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    best = None
    for layer in range(layers):
        for head in range(heads):
            one = weights[layer, :, head]
            rows = one.gather(
                1, query_positions.view(-1, 1, 1).expand(-1, 1, one.shape[-1])
            ).squeeze(1)
            mean = rows.gather(1, subject_positions.view(-1, 1)).mean().item()
            if best is None or mean > best[2]:
                best = (layer, head, mean)
    return best


# right
def numpy(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    picked = [
        weights[:, b, :, q, s].double().numpy()
        for b, (q, s) in enumerate(
            zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
        )
    ]
    means = np.mean(picked, axis=0)
    layer, head = np.unravel_index(means.argmax(), means.shape)
    return int(layer), int(head), float(means.max())


# wrong: the token before the one asked for
# named: query_one_earlier
def one_earlier(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions - 1, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: looks at the weight of the subject's query on the verb's place
# named: axes_exchanged
def query_and_subject_swapped(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, subject_positions, query_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


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


# wrong: query and key exchanged
# named: axes_exchanged
def transposed(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, subject_positions, query_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])


# wrong: looks at the query one place later (the verb's own position)
# named: query_one_later
def verb_position(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    q = (query_positions + 1).clamp(max=weights.shape[-1] - 1)
    w = weights.transpose(1, 2)[:, :, rows, q, subject_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()


# wrong: each sentence meets the positions of all others
# named: sentences_crossed
def without_arange(weights, query_positions, subject_positions):
    means = weights[:, :, :, query_positions, subject_positions].mean(dim=(1, 3))
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()


# wrong: the flat place is taken for the head
# named: flat_place
def flat_argmax(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    found = weights[:, b, :, query_positions, subject_positions].mean(0)
    i = found.argmax().item()
    return 0, i, float(found.max())
