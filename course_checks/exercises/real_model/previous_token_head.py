"""Lesson 16, exercise 6: which head of a whole model looks at the token before."""

import torch

from course_checks.exercise import Exercise, Property, all_of
from course_checks.exercises.real_model.previous_token_cases import among_weak_ones, one_looks_back
from course_lib.study.heads import offset_score


def previous_token_head(maps):
    on_previous = [text.diagonal(-1, dim1=-2, dim2=-1) for text in maps]
    layer, head, score = _best(torch.cat(on_previous, dim=-1).mean(dim=-1))
    return layer, head, score


MISTAKES = """
itself: diagonal(-1 -> diagonal(0
or: text.diagonal(-1, dim1=-2, dim2=-1) -> text.diagonal(0, dim1=-2, dim2=-1)[..., 1:]
    You look at the main diagonal, the query's own token. The token before is one further down: key
    i - 1.
next_token: diagonal(-1 -> diagonal(1
    You look at the key after the query. The token before stands below the main diagonal: key i - 1.
two_back: diagonal(-1 -> diagonal(-2
    You look two tokens back. The token before query i is key i - 1.
first_two_axes: , dim1=-2, dim2=-1 ->
or: , dim1=-2, dim2=-1 -> && layer, head, score = _best(torch.cat(on_previous, \
        dim=-1).mean(dim=-1)) -> scores = torch.cat(on_previous, dim=-1).mean(dim=-1); score = \
        float(scores.max()); layer, head = divmod(int(scores.argmax()), maps[0].shape[1])
or: , dim1=-2, dim2=-1 -> && mean(dim=-1) -> sum(dim=-1) / sum(text.shape[-1] - 1 for text in maps)
    Without dim1 and dim2, diagonal goes through the layers and the heads. The queries and keys are
    the last two: dim1=-2, dim2=-1.
first_token: text.diagonal(-1, dim1=-2, dim2=-1) -> text[..., 1:, 0] || text[..., 0]
    You look at the first token of the text. The token before query i is key i - 1.
all_before: text.diagonal(-1, dim1=-2, dim2=-1) -> text.tril(-1).sum(dim=-1)[..., 1:]
    You add up the weights on all tokens before the query. Take only the one just before it.
mean_of_means: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        torch.stack([text.mean(dim=-1) for text in on_previous]).mean(dim=0)
    You take the mean of each text and then of these. Put the queries of all texts together first.
query_0_counts: mean(dim=-1) -> sum(dim=-1) / sum(text.shape[-1] for text in maps)
    Your mean counts query 0, which has no token before it. Divide by the queries that have one.
query_1_left_out: dim2=-1) -> dim2=-1)[..., 1:]
    You leave out query 1. Its token before is the first of the text, and counts.
padding_counts: mean(dim=-1) -> \
        sum(dim=-1) / (len(maps) * (max(text.shape[-1] for text in maps) - 1))
    You fill all texts up to the longest, and count the places that you filled in.
first_text_only: in maps -> in maps[:1] || in maps[-1:]
    You look at one text only: is your result made anew in each round? Put all queries together.
cut_to_the_shortest: in maps -> in [text[..., :n, :n] for n in [min(text.shape[-1] for text in \
        maps)] for text in maps]
    You cut all texts to the length of the shortest. Their other queries count too.
best_text: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        torch.stack([text.mean(dim=-1) for text in on_previous]).amax(dim=0)
    You take the best text of each head, and one lucky text decides. Take the mean over all queries.
sum_of_means: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        sum(text.mean(dim=-1) for text in on_previous) || mean(dim=-1) -> sum(dim=-1)
    You add up over texts or queries. What is asked for is the mean weight, which is 1 at most.
largest_weight: mean(dim=-1) -> amax(dim=-1)
    You take the largest weight on a token before. Take the mean.
median: mean(dim=-1) -> median(dim=-1).values
    You take the median of the weights. What is asked for is their mean.
share_of_maxima: text.diagonal(-1, dim1=-2, dim2=-1) -> \
                (text.argmax(dim=-1)[..., 1:] == torch.arange(text.shape[-1] - 1)).to(text.dtype)
    You count how often the token before has the largest weight. Take the mean weight.
smallest: _best(torch -> _best(-torch && return layer, head, score -> return layer, head, -score
    You choose the head with the smallest mean. The largest is asked for: argmax.
index_not_split: return layer, head, score -> return layer * maps[0].shape[1] + head, score
    You return the index that argmax gives. divmod(index, num_heads) makes (layer, head) of it.
wrong_divisor: return layer, head, score -> \
                return *divmod(layer * maps[0].shape[1] + head, len(maps[0])), score
    Your layer and head do not belong to the score. argmax counts a whole row of heads for each
    layer: divide by the number of heads, not of layers.
pair_inside: return layer, head, score -> return (layer, head), score
or: return layer, head, score -> return [(layer, head), score]
    One entry of your answer is a pair itself. Return three numbers: layer, head, score.
head_first: return layer, head, score -> return head, layer, score
    You return the head first. The order is (layer, head, score).
from_one: return layer, head, score -> return layer + 1, head + 1, score
    Your layers and heads begin at 1. Here they are indices, and begin at 0.
best_layer_first: layer, head, score = _best(torch.cat(on_previous, dim=-1).mean(dim=-1)) -> \
                scores = torch.cat(on_previous, dim=-1).mean(dim=-1); layer = \
        int(scores.mean(dim=1).argmax()); head = int(scores[layer].argmax()); score = \
        float(scores[layer, head])
or: layer, head, score = _best(torch.cat(on_previous, dim=-1).mean(dim=-1)) -> scores = \
        torch.cat(on_previous, dim=-1).mean(dim=-1); head = int(scores.mean(dim=0).argmax()); \
        layer = int(scores[:, head].argmax()); score = float(scores[layer, head])
    You choose by a mean over heads or over layers first. Compare all heads of all layers.
weighted_by_length: torch.cat(on_previous, dim=-1).mean(dim=-1) -> \
        sum(one.mean(dim=-1) * (one.shape[-1] + 1) for one in on_previous) / \
        sum(one.shape[-1] + 1 for one in on_previous)
    You weight the mean of each text by its length. It has one query less: put the queries of all
    texts together.
"""


def _best(scores):
    """``scores`` is (num_layers, num_heads)."""
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


EXERCISE = Exercise(
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
