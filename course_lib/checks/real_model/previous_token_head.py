"""Lesson 16, exercise 6: which head of a whole model looks at the token before."""

import torch
from torch import arange

from course_lib.checks.exercise import Exercise, Property
from course_lib.checks.real_model.previous_token_cases import (
    all_of,
    among_weak_ones,
    one_looks_back,
)
from course_lib.study.heads import offset_score


def previous_token_head(maps):
    on_previous = [text.diagonal(-1, dim1=-2, dim2=-1) for text in maps]
    layer, head, score = _best(torch.cat(on_previous, dim=-1).mean(dim=-1))
    return layer, head, score


MISTAKES = """
itself: diagonal(-1 -> diagonal(0
or: text.diagonal(-1, dim1=-2, dim2=-1) -> text.diagonal(0, dim1=-2, dim2=-1)[..., 1:]
    You look at the main diagonal, where the key is the query's own token. The token before it
    stands one place further down: query i, key i - 1.
next_token: diagonal(-1 -> diagonal(1
    You look at the key after the query. The rows are the queries, so the token before stands below
    the main diagonal: query i, key i - 1.
two_back: diagonal(-1 -> diagonal(-2
    You look two tokens back. The token before query i is key i - 1.
first_two_axes: , dim1=-2, dim2=-1 ->
or: _first_two_of_num_heads
or: _first_two_by_queries
    Without dim1 and dim2, diagonal goes through the first two axes, here the layers and the heads.
    The queries and the keys are the last two: dim1=-2, dim2=-1.
first_token: text.diagonal(-1, dim1=-2, dim2=-1) -> text[..., 1:, 0]
or: text.diagonal(-1, dim1=-2, dim2=-1) -> text[..., 0]
    You look at the first token of the text. Many heads rest there; the token before query i is key
    i - 1.
all_before: text.diagonal(-1, dim1=-2, dim2=-1) -> text.tril(-1).sum(dim=-1)[..., 1:]
    You add up the weights on all tokens before the query. Only the one just before it is asked for.
mean_of_means: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        torch.stack([text.mean(dim=-1) for text in on_previous]).mean(dim=0)
    You take the mean of each text and then the mean of these. A text of three tokens then counts as
    much as a long one: put the queries of all texts together first.
query_0_counts: mean(dim=-1) -> sum(dim=-1) / sum(text.shape[-1] for text in maps)
    Your mean counts query 0, which has no token before it. A head that always looks one back should
    get 1: divide by the number of queries that have one.
query_1_left_out: dim2=-1) -> dim2=-1)[..., 1:]
    You leave out query 1. Its token before is the first of the text, and counts: only query 0 has
    none.
padding_counts: mean(dim=-1) -> \
        sum(dim=-1) / (len(maps) * (max(text.shape[-1] for text in maps) - 1))
    You fill all texts up to the longest one, and count the places that you filled in. Divide by the
    number of queries that are there.
first_text_only: in maps -> in maps[:1]
    You look at the first text only. Put the queries of all texts together.
last_text_only: in maps -> in maps[-1:]
    You look at the last text only: is your result made anew in each round of the loop? Put the
    queries of all texts together.
cut_to_the_shortest: in maps -> in _cut_to_the_shortest(maps)
    You cut all texts to the length of the shortest. Their other queries count too.
best_text: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        torch.stack([text.mean(dim=-1) for text in on_previous]).amax(dim=0)
    You take the best text of each head. One lucky text then decides: take the mean over all queries
    of all texts.
sum_of_means: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        sum(text.mean(dim=-1) for text in on_previous)
    You add up the means of the texts. A mean weight is 1 at most.
sum_of_queries: mean(dim=-1) -> sum(dim=-1)
    You add up over the queries. What is asked for is the mean weight, which is 1 at most.
largest_weight: mean(dim=-1) -> amax(dim=-1)
    You take the largest weight on a token before. One query is enough to make that large: take the
    mean.
median: mean(dim=-1) -> median(dim=-1).values
    You take the median of the weights. What is asked for is their mean.
share_of_maxima: text.diagonal(-1, dim1=-2, dim2=-1) -> _is_largest(text)
    You count how often the token before has the largest weight. A weight of 0.2 may be the largest:
    what is asked for is the mean weight.
smallest: _best( -> _smallest(
    You choose the head with the smallest mean. The largest is asked for: argmax.
index_not_split: _previous_token_head_with(answer=lambda scores: \
                (int(scores.argmax()), float(scores.max())))
    You return the index that argmax gives. It counts through all heads of all layers: divmod(index,
    num_heads) makes (layer, head) of it.
wrong_divisor: _best( -> _wrong_divisor(
    Your layer and head do not belong to the score. argmax counts through all numbers, a whole row
    of heads for each layer: divide by the number of heads, not of layers.
pair_inside: return layer, head, score -> return (layer, head), score
or: return layer, head, score -> return [(layer, head), score]
    One entry of your answer is a pair itself, as in ((layer, head), score). Return three numbers
    side by side: return layer, head, score.
head_first: return layer, head, score -> return head, layer, score
    You return the head first. The order is (layer, head, score).
from_one: return layer, head, score -> return layer + 1, head + 1, score
    Your layers and heads begin at 1. Here they are indices, and begin at 0.
best_layer_first: _best( -> _best_layer_first(
    You choose the layer with the best mean, and the best head in it. The best head of all may stand
    among heads that look elsewhere: compare all heads of all layers.
best_number_first: _best( -> _best_number_first(
    You take a mean over the layers before you choose a head. Head 1 of one layer has nothing to do
    with head 1 of the next: compare all heads of all layers.
weighted_by_length: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        sum(one.mean(dim=-1) * (one.shape[-1] + 1) for one in on_previous) / \
        sum(one.shape[-1] + 1 for one in on_previous)
    You weight the mean of each text by its length. It has one query less that has a token before
    it: put the queries of all texts together.
"""


def _best(scores):
    """``scores`` is (num_layers, num_heads)."""
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


# --- wrong versions -----------------------------------------------------------------------------


def _on_previous(text):
    return text.diagonal(-1, dim1=-2, dim2=-1)  # (num_layers, num_heads, length - 1)


def _is_largest(text):
    return (text.argmax(dim=-1)[..., 1:] == arange(text.shape[-1] - 1)).to(text.dtype)


def _mean(found):
    return found.mean(dim=-1)


def _previous_token_head_with(
    look=_on_previous, chosen=lambda maps: maps, over_queries=_mean, answer=_best
):
    """A version that looks elsewhere, at fewer texts, or sums up or answers otherwise."""

    def version(maps):
        found = torch.cat([look(text) for text in chosen(maps)], dim=-1)
        return answer(over_queries(found))

    return version


def _first_two_axes(text):
    return text.diagonal(-1)  # (length, length, about as many as there are layers or heads)


def _first_two_of_num_heads(maps):
    scores = _mean(torch.cat([_first_two_axes(text) for text in maps], dim=-1))
    layer, head = divmod(int(scores.argmax()), maps[0].shape[1])
    return layer, head, float(scores.max())


def _first_two_by_queries(maps):
    found = torch.cat([_first_two_axes(text) for text in maps], dim=-1)
    return _best(found.sum(dim=-1) / sum(text.shape[-1] - 1 for text in maps))


def _cut_to_the_shortest(maps):
    length = min(text.shape[-1] for text in maps)
    return [text[..., :length, :length] for text in maps]


def _wrong_divisor(scores):
    return *divmod(int(scores.argmax()), scores.shape[0]), float(scores.max())


def _best_layer_first(scores):
    layer = int(scores.mean(dim=1).argmax())
    head = int(scores[layer].argmax())
    return layer, head, float(scores[layer, head])


def _best_number_first(scores):
    head = int(scores.mean(dim=0).argmax())
    layer = int(scores[:, head].argmax())
    return layer, head, float(scores[layer, head])


def _smallest(scores):
    layer, head, score = _best(-scores)
    return layer, head, -score


EXERCISE = Exercise(
    lesson="16",
    number=6,
    reference=previous_token_head,
    returns={"answer": "(layer, head, score)"},
    kind="numbers",
    library=(offset_score,),
    properties=(
        Property(
            "one text: the head with the largest mean weight on the token before",
            2,
            all_of(one_looks_back(2, 3, 5), one_looks_back(3, 2, 8)),
        ),
        Property(
            "several texts of one length, and any number of layers and heads",
            1,
            all_of(
                one_looks_back(4, 3, 5, 5, 5),
                among_weak_ones(2, 4, (1, 2), [(0, head) for head in range(4)]),
                among_weak_ones(4, 2, (1, 0), [(layer, 1) for layer in range(4)]),
            ),
        ),
        Property(
            "texts of different lengths: each query counts the same",
            2,
            all_of(one_looks_back(3, 4, 3, 4, 13), one_looks_back(4, 2, 9, 2, 3, 5)),
        ),
    ),
    mistakes=MISTAKES,
)
