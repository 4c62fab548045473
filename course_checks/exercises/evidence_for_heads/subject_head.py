"""Lesson 11, exercise 2: which head looks at the subject where the verb is predicted."""

import torch
from torch import arange

from course_checks.exercise import Case, Exercise, Property
from course_checks.score_cases import causal, draw_weights


def subject_head(weights, query_positions, subject_positions):
    sentences = arange(weights.shape[1])
    on_subject = weights[:, sentences, :, query_positions, subject_positions]
    return _best(on_subject.mean(dim=0))


MISTAKES = """
query_one_later: query_positions, subject_positions] -> query_positions + 1, subject_positions]
    You look one token later, at the verb. Look at the query from which it is predicted.
query_one_earlier: query_positions, subject_positions] -> query_positions - 1, subject_positions]
    You look one token earlier. query_positions is already the token before the verb.
best_layer_first: _best( -> _row_first( || _column_first(
    You take a mean over heads or layers before you choose. Compare all heads of all layers.
last_layer_only: _best(on_subject.mean(dim=0)) -> _in_layer(-1, on_subject.mean(dim=0))
or: _best(on_subject.mean(dim=0)) -> _in_layer(0, on_subject.mean(dim=0))
    You look at one layer only. Compare all heads of all layers.
from_one: return _best(on_subject.mean(dim=0)) -> \
        layer, head, weight = _best(on_subject.mean(dim=0)); return layer + 1, head + 1, weight
    Your layers and heads begin at 1. Here they are indices, and begin at 0.
axes_exchanged: query_positions, subject_positions] -> subject_positions, query_positions]
    You take the subject as the query. The rows are the queries: query first, key last.
one_position_for_all: query_positions, subject_positions] -> \
        query_positions[:1].expand_as(sentences), subject_positions]
or: query_positions, subject_positions] -> \
        query_positions[:1].expand_as(sentences), subject_positions[:1].expand_as(sentences)]
    You take the first sentence's query for all sentences. The verb stands at another place in each.
one_subject_for_all: query_positions, subject_positions] -> \
        query_positions, subject_positions[:1].expand_as(sentences)]
    You take the first sentence's subject for all sentences. It stands at another place in each.
sum_of_sentences: mean(dim=0) -> sum(dim=0)
    You add up over the sentences. What is asked for is the mean weight, which is 1 at most.
smallest: _best( -> _worst(
    You choose the head with the smallest mean weight. The largest is asked for: argmax.
sentences_crossed: weights[:, sentences, :, query_positions, subject_positions] -> \
        weights[:, :, :, query_positions, subject_positions].mean(dim=3).movedim(1, 0)
    You pair every sentence with the positions of all the others. Index the batch by arange(batch)
    as well.
largest_in_any_sentence: mean(dim=0) -> amax(dim=0) || on_subject.mean(dim=0) -> on_subject[0]
    One sentence decides with you, and it may be luck: take the mean over all of them.
all_queries: _all_queries
    You take the mean over all queries. Only one of them predicts the verb.
layer_and_head_exchanged: return _best(on_subject.mean(dim=0)) -> \
        layer, head, weight = _best(on_subject.mean(dim=0)); return head, layer, weight
    You return the head first. The order is (layer, head, weight).
mean_over_layers: on_subject.mean(dim=0) -> on_subject.mean(dim=1)
    You take the mean over the layers. Indices with a : between them bring the sentences to the
    front, (batch, layers, num_heads): take the mean over dim=0.
flat_place: return _best(on_subject.mean(dim=0)) -> layer, head, weight = \
        _best(on_subject.mean(dim=0)); return 0, layer * weights.shape[2] + head, weight
or: return _best(on_subject.mean(dim=0)) -> layer, head, weight = _best(on_subject.mean(dim=0)); \
        place = layer * weights.shape[2] + head; return place, place, weight
    Your argmax counts through the heads of all layers: divmod(index, num_heads) is (layer, head).
wrong_divisor: _best( -> _rows_for_columns(
    Your layer and head do not belong to the weight. argmax counts a whole row of heads for each
    layer: divide by the number of heads, not of layers.
"""


def _best(scores):
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])


def _rows_for_columns(scores):
    return *divmod(int(scores.argmax()), scores.shape[0]), float(scores.max())


def _row_first(scores):
    return _in_layer(int(scores.mean(dim=1).argmax()), scores)


def _column_first(scores):
    head = int(scores.mean(dim=0).argmax())
    layer = int(scores[:, head].argmax())
    return layer, head, float(scores[layer, head])


def _in_layer(layer, scores):
    head = int(scores[layer].argmax())
    return layer % len(scores), head, float(scores[layer, head])


def _worst(scores):
    layer, head, weight = _best(-scores)
    return layer, head, -weight


def _all_queries(weights, query_positions, subject_positions):
    scores = torch.stack(
        [weights[:, b, :, :, subject].mean(dim=-1) for b, subject in enumerate(subject_positions)]
    ).mean(dim=0)
    return _best(scores)


def _look(weights, place, sentences, queries, subjects, strength):
    """Let one head, in some sentences, look at the subject from there."""
    layer, head = place
    rows = (1 - strength) * weights[layer, sentences, head, queries]
    rows[arange(len(rows)), subjects] += strength
    weights[layer, sentences, head, queries] = rows


def _model(layers, num_heads, layer, queries, subjects, masked=True):
    """Weights in which a head of that layer looks at the subject, and two others mislead.

    One looks at it harder, but in some sentences only; one does so a token later.
    """

    def make(generator):
        length = max(queries) + 3
        mask = causal(length) if masked else None
        shape = (layers, len(queries), num_heads, length, length)
        weights = draw_weights(generator, *shape, mask=mask)
        order = torch.randperm(layers * num_heads, generator=generator, device="cpu").tolist()
        places = [divmod(place, num_heads) for place in order]
        right = next(place for place in places if place[0] == layer != place[1])
        often, later = [place for place in places if place != right][:2]
        query, subject = (torch.tensor(part, device="cpu") for part in (queries, subjects))
        everywhere = arange(len(queries))
        some = everywhere[(len(queries) - 1) // 2 :]  # more than half of them
        _look(weights, right, everywhere, query, subject, 0.75)
        _look(weights, often, some, query[some], subject[some], 0.97)
        _look(weights, later, everywhere, query + 1, subject, 0.9)
        return [Case((weights, query, subject))]

    return make


def _among_weak_ones(generator, layers, num_heads, right, second):
    """One head looks hard at the subject; others, of one layer or one number, look there too."""
    queries, subjects = (torch.tensor(part, device="cpu") for part in ([5, 3, 6, 4], [2, 1, 2, 1]))
    weights = 0.2 * draw_weights(generator, layers, 4, num_heads, 8, 8, mask=causal(8))
    weights[..., 0] += 0.8  # the rest of them look at the start
    for place in second:
        _look(weights, place, arange(4), queries, subjects, 0.5)
    _look(weights, right, arange(4), queries, subjects, 0.9)
    return Case((weights, queries, subjects))


def _hidden(generator):
    make = _model(2, 3, 1, queries=[5, 2, 8, 5, 8], subjects=[2, 2, 2, 2, 2])
    return make(generator) + [
        _among_weak_ones(generator, 2, 3, (1, 2), [(0, head) for head in range(3)]),
        _among_weak_ones(generator, 3, 2, (1, 0), [(layer, 1) for layer in range(3)]),
    ]


EXERCISE = Exercise(
    reference=subject_head,
    returns={"answer": "(layer, head, weight)"},
    kind="numbers",
    properties=(
        Property(
            "the head with the largest mean weight on the subject, where the verb is predicted",
            2,
            _hidden,
        ),
        Property(
            "subjects at several places, and any number of layers and heads",
            1,
            _model(3, 4, 1, queries=[4, 6, 3, 5, 4, 6], subjects=[1, 3, 2, 1, 2, 3]),
        ),
        Property(
            "heads that may look ahead",
            1,
            _model(4, 2, 0, queries=[4, 1, 3, 6, 2], subjects=[1, 2, 3, 0, 4], masked=False),
        ),
    ),
    mistakes=MISTAKES,
)
