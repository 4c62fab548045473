"""Answers to previous_token_head (lesson 16, exercise 6), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

from course_lib.study.heads import previous_token_score


# right
def counting(maps):
    """The sum and the number of queries, head by head."""
    best = None
    for layer in range(len(maps[0])):
        for head in range(len(maps[0][layer])):
            diagonals = [
                text[layer, head, i, i - 1] for text in maps for i in range(1, len(text[0][0]))
            ]
            score = sum(diagonals).item() / len(diagonals)
            if best is None or score > best[2]:
                best = layer, head, score
    return best


# right
def by_weighted(maps):
    """Means of the texts, weighted with the numbers of their queries."""
    counts = torch.tensor([float(text.size(-1) - 1) for text in maps])
    means = torch.stack([text[..., 1:, :-1].diagonal(0, 2, 3).mean(-1) for text in maps], dim=-1)
    scores = (means * counts).sum(-1) / counts.sum()
    place = torch.nonzero(scores == scores.max())[0]
    return [place[0].item(), place[1].item(), scores.max()]


# wrong: all tokens before the query
# named: all_before
def all_earlier(maps):
    earlier = [torch.tril(text, -1).sum(dim=-1)[..., 1:] for text in maps]
    scores = torch.cat(earlier, dim=-1).mean(dim=-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: argmax over each dimension by itself
def argmax_of_each(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer = scores.max(dim=1).values.argmax().item()
    head = scores.sum(dim=0).argmax().item()
    return layer, head, scores.max().item()


# wrong: argmin
# named: smallest
def argmin(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer, head = divmod(int(scores.argmin()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: the best head of the best text
# named: best_text
# points: 3
def best_of_any_text(maps):
    best = (0, 0, -1.0)
    for text in maps:
        scores = text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
        layer, head = divmod(int(scores.argmax()), scores.shape[1])
        if scores[layer, head] > best[2]:
            best = layer, head, float(scores[layer, head])
    return best


# wrong: the first token of the text
# named: first_token
def column_0(maps):
    mean = torch.cat([text[:, :, 1:, 0] for text in maps], dim=-1).mean(dim=-1)
    layer, head = divmod(mean.argmax().item(), mean.shape[1])
    return layer, head, mean[layer, head].item()


# wrong: layers and heads from 1
# named: from_one
def counted_from_one(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer + 1, head + 1, float(scores[layer, head])


# wrong: cut to the shortest text so that they can be stacked
# named: cut_to_the_shortest
def cropped(maps):
    n = min(text.shape[-1] for text in maps)
    batch = torch.stack([text[..., :n, :n] for text in maps])
    scores = batch.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: one above the diagonal, which is blocked
# named: next_token
def diagonal_1(maps):
    diagonals = torch.cat([torch.diagonal(text, 1, dim1=-2, dim2=-1) for text in maps], dim=-1)
    mean = diagonals.mean(dim=-1)
    layer, head = divmod(int(mean.argmax()), mean.shape[1])
    return layer, head, float(mean[layer, head])


# wrong: divides the index by the number of layers
# named: wrong_divisor
def divided_by_layers(maps):
    num_layers, num_heads = maps[0].shape[:2]
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    index = scores.argmax().item()
    return index // num_layers, index % num_layers, scores.max().item()


# wrong: returns inside the loop
# named: first_text_only
def first_text(maps):
    for text in maps:
        scores = text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1)
        layer, head = divmod(int(scores.argmax()), scores.shape[1])
        return layer, head, float(scores[layer, head])


# wrong: argmax as it is
# named: index_not_split
def flat(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    return scores.argmax().item(), scores.max().item()


# wrong: how often the token before is the argmax
# named: share_of_maxima
def how_often(maps):
    hits, n = 0, 0
    for text in maps:
        length = text.shape[-1]
        hits = hits + (text.argmax(-1)[..., 1:] == torch.arange(length - 1)).sum(-1)
        n += length - 1
    scores = hits / n
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: the largest single weight
# named: largest_weight
def maximum(maps):
    diagonals = torch.cat([text.diagonal(-1, dim1=-2, dim2=-1) for text in maps], dim=-1)
    scores = diagonals.max(dim=-1).values
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: each text counts the same
# named: mean_of_means
# points: 4
def means_of_texts(maps):
    means = [text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1) for text in maps]
    mean = torch.stack(means).mean(dim=0)
    layer, head = divmod(int(mean.argmax()), mean.shape[1])
    return layer, head, float(mean[layer, head])


# wrong: the median
# named: median
def median(maps):
    diagonals = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1)
    scores = diagonals.median(dim=-1).values
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: index -1 for query 0
# named: query_0_counts
def minus_one(maps):
    diagonals = []
    for text in maps:
        i = torch.arange(text.shape[-1])
        diagonals.append(text[:, :, i, i - 1])
    scores = torch.cat(diagonals, dim=-1).mean(dim=-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: the main diagonal
# named: itself
def own_token(maps):
    diagonals = torch.cat([torch.diagonal(text, dim1=-2, dim2=-1) for text in maps], dim=-1)
    mean = diagonals.mean(dim=-1)
    layer, head = divmod(int(mean.argmax()), mean.shape[1])
    return layer, head, float(mean[layer, head])


# wrong: padded with zeros to the longest text, and the zeros count
# named: padding_counts
def padded(maps):
    n = max(text.shape[-1] for text in maps)
    padded = [F.pad(t, (0, n - t.shape[-1], 0, n - t.shape[-1])) for t in maps]
    scores = torch.stack(padded).diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: layer and head in a pair of their own
# named: pair_inside
def pair_inside(maps):
    diagonals = torch.cat([m.diagonal(-1, dim1=-2, dim2=-1) for m in maps], dim=-1)
    scores = diagonals.mean(dim=-1)
    place = divmod(scores.argmax().item(), scores.shape[1])
    return place, scores[place].item()


# wrong: // and % the wrong way round
# named: head_first
def remainder_first(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    index, n = scores.argmax().item(), scores.shape[1]
    return index % n, index // n, scores.max().item()


# wrong: a sum instead of a mean
# named: sum_of_means
def sums(maps):
    scores = sum(text.diagonal(-1, dim1=-2, dim2=-1).sum(dim=-1) for text in maps)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: begins with query 2 and looks at i - 2
# named: two_back
def two_back(maps):
    diagonals = []
    for text in maps:
        i = torch.arange(2, text.shape[-1])
        diagonals.append(text[..., i, i - 2])
    mean = torch.cat(diagonals, dim=-1).mean(dim=-1)
    layer, head = divmod(mean.argmax().item(), mean.shape[1])
    return layer, head, mean[layer, head].item()


# wrong: leaves out query 1, whose token before is the first of the text
# named: query_1_left_out
def without_query_1(maps):
    diagonals = [t.diagonal(-1, dim1=-2, dim2=-1)[..., 1:] for t in maps]
    scores = torch.cat(diagonals, dim=-1).mean(-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# wrong: weighted by length not length - 1
# named: weighted_by_length
def weighted_by_length_too(maps):
    m = sum(t.diagonal(-1, dim1=-2, dim2=-1).mean(-1) * t.shape[-1] for t in maps) / sum(
        t.shape[-1] for t in maps
    )
    return *divmod(int(m.argmax()), m.shape[1]), float(m.max())


# wrong: calls the library
# named: forbidden
def librarys_own_score(maps):
    scores = [torch.stack([previous_token_score(layer[None]) for layer in text]) for text in maps]
    return 0, 0, scores[0].max().item()


# wrong: the layer with the best mean first
# named: best_layer_first
# points: 5
def layer_then_head(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer = scores.mean(dim=1).argmax().item()
    head = scores[layer].argmax().item()
    return layer, head, scores[layer, head].item()


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for num_layers, num_heads, *lengths in ((2, 2, 4), (3, 5, 4, 7), (5, 3, 2, 6, 3)):
        masks = [torch.ones(length, length).tril() for length in lengths]
        drawn = [randn(num_layers, num_heads, *mask.shape).exp() * mask for mask in masks]
        yield (tuple(each / each.sum(dim=-1, keepdim=True) for each in drawn),)
