"""Lesson 10, exercise 2: how much weight a head puts on the key before the query."""

from torch import arange

from course_lib.checks.exercise import Case, Exercise, Property
from course_lib.checks.score_cases import causal, draw_weights
from course_lib.study.heads import offset_score


def previous_token(weights):
    on_previous = weights.diagonal(-1, dim1=-2, dim2=-1)  # (batch, num_heads, length - 1)
    return on_previous.mean(dim=(0, 2))


MISTAKES = """
one_number: mean(dim=(0, 2)) -> mean()
    You return one number for all heads together. Each head has its own: take the mean over
    sentences and queries alone.
next_token: diagonal(-1 -> diagonal(1
    You look at the key after the query. The map has a row per query, so the previous keys lie below
    the main diagonal: query i, key i - 1.
same_token: diagonal(-1 -> diagonal(0
    You look at the main diagonal, where the key is the query's own token. One place further down is
    the token before: query i, key i - 1.
two_back: diagonal(-1 -> diagonal(-2
    You look two tokens back. The key before query i is i - 1.
first_key: lambda weights: weights[:, :, 1:, 0].mean(dim=(0, 2))
    You look at the first key. That is another score, of heads that rest at the start of the text;
    the key before query i is i - 1.
first_query_counts: return on_previous.mean(dim=(0, 2)) -> \
        return on_previous.sum(dim=2).mean(dim=0) / weights.shape[-1]
    You divide by the number of all queries. The first has no key before it: a head that always
    looks one back should get 1.
wraps_round: _wraps_round
    Your first query looks at the last key: index -1 counts from the end. Leave out the first query,
    which has no key before it.
one_for_each_sentence: mean(dim=(0, 2)) -> mean(dim=(1, 2))
    You take the mean over the heads. weights is (batch, num_heads, query_len, key_len), and each
    head should keep its own number.
first_sentence_only: lambda weights: previous_token(weights[:1])
    You look at the first sentence only. Take the mean over the whole batch.
first_query_only: lambda weights: weights[:, :, 1, 0].mean(dim=0)
    You look at one query only, the second of each sentence: does your function return inside the
    loop? Take the mean over all that have a key before them.
last_query_only: lambda weights: weights[:, :, -1, -2].mean(dim=0)
    You look at one query only, the last of each sentence. Take the mean over all that have a key
    before them.
sum_over_sentences: mean(dim=(0, 2)) -> mean(dim=2).sum(dim=0)
    You add up over the sentences. Take the mean over the batch: a mean weight is 1 at most.
all_keys_before: lambda weights: weights.tril(-1).sum(dim=-1)[:, :, 1:].mean(dim=(0, 2))
    You add up the weights of all keys before the query. Only the one just before it is asked for:
    key i - 1.
not_over_sentences: mean(dim=(0, 2)) -> mean(dim=2)
    You have one number for each head of each sentence. Take the mean over the batch too.
largest: mean(dim=(0, 2)) -> amax(dim=(0, 2))
    You return the largest of the weights on a previous token. One query is enough to make that
    large: take the mean.
share_of_maxima: _share_of_maxima
    You count how often the previous key has the largest weight. A weight of 0.2 may be the largest:
    what is asked for is the mean weight.
"""


def _share_of_maxima(weights):
    is_largest = weights.argmax(dim=-1)[:, :, 1:] == arange(weights.shape[-1] - 1)
    return is_largest.to(weights.dtype).mean(dim=(0, 2))


def _wraps_round(weights):
    positions = arange(weights.shape[-1])
    return weights[:, :, positions, positions - 1].mean(dim=(0, 2))


def _of_sizes(*sizes, masked=True):
    """(batch, num_heads, length) each."""
    return lambda generator: [
        Case((draw_weights(generator, b, h, n, n, mask=causal(n) if masked else None),))
        for b, h, n in sizes
    ]


EXERCISE = Exercise(
    lesson="10",
    number=2,
    reference=previous_token,
    returns={"score": "(num_heads,)"},
    library=(offset_score,),
    properties=(
        Property("one sentence, causal", 2, _of_sizes((1, 2, 3), (1, 3, 5))),
        Property("a batch: all queries of all sentences count alike", 1, _of_sizes((3, 2, 4))),
        Property("heads that may look ahead", 1, _of_sizes((2, 3, 4), (4, 1, 2), masked=False)),
    ),
    mistakes=MISTAKES,
)
