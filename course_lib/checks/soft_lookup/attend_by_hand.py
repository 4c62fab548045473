"""Lesson 01, exercise 1: one query by hand, with plain Python lists."""

import math

from course_lib.checks.exercise import Case, Exercise, Property, randn


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
    largest_score = max(scores)
    numerators = [math.exp(score - largest_score) for score in scores]
    weights = [numerator / sum(numerators) for numerator in numerators]
    return _average(weights, values), weights


MISTAKES = """
width_of_query: _average(weights, values) -> _average(weights, values)[: len(query)]
    Your weights are right, and your output has the length of the query. It is a mix of values, so
    it is as long as a value.
no_softmax: [numerator / sum(numerators) for numerator in numerators] -> scores
evidence: row_sum()
    Your weights are the raw dot products. They can be negative and do not sum to 1, so the output
    is no average yet: the softmax is missing.
scores_normalised: math.exp(score - largest_score) -> score
    You divide the dot products by their sum, without the exponential. They do sum to 1, but a
    negative score gives a negative weight.
not_normalised: - largest_score -> && / sum(numerators) ->
evidence: row_sum()
    You take the exponential of each score and stop there. A softmax also divides by the sum of all
    the exponentials.
distance: sum(q * k for q, k in zip(query, key, strict=True)) -> math.dist(query, key)
    Your score is the distance from the query to the key. A far key has a large distance, so it gets
    the most weight. The score of this lesson is the dot product.
negative_distance: sum(q * k for q, k in zip(query, key, strict=True)) -> -math.dist(query, key)
    Your score is minus the distance from the query to the key. That prefers near keys; the dot
    product also counts how long a key is, and it is the score of this lesson.
negated: sum(q * k -> -sum(q * k
    The sign is turned round: the key that fits the query worst gets the most weight.
hard_lookup: [numerator / sum(numerators) for numerator in numerators] -> \
        [float(score == largest_score) for score in scores]
    All the weight goes to the best key. That is the hard look-up of a dictionary; here every key
    takes part, as much as the softmax says.
scaled: strict=True)) for key in keys -> strict=True)) / math.sqrt(len(query)) for key in keys
evidence: largest("weights")
    You divide the scores by sqrt(d). That comes in lesson 02; here the scores are the plain dot
    products, and your weights are a little too even.
swapped: _average(weights, values), weights -> weights, _average(weights, values)
    The two answers are in the other order: the output comes first, then the weights.
plain_mean: _average(weights, values) -> _average([1 / len(keys)] * len(keys), values)
    Your weights are right, and your output does not use them: it is the plain mean of the values,
    as if every key fitted equally well.
keys_averaged: _average(weights, values) -> _average(weights, keys)
    Your weights are right, and your output averages the keys. The keys are for the match only; what
    is handed back are the values.
divided_by_largest: / sum(numerators) -> / max(numerators)
evidence: row_sum()
    You divide the exponentials by the largest of them. A softmax divides by their sum, so that the
    weights sum to 1.
sum_so_far: numerator / sum(numerators) for numerator in numerators -> \
        x / sum(numerators[: i + 1]) for i, x in enumerate(numerators)
    You divide each exponential by the sum of those up to it. Finish the sum first, in a loop of its
    own, and divide by the whole of it.
other_base: math.exp(score - largest_score) -> 2 ** (score - largest_score)
or: math.exp(score - largest_score) -> 10 ** (score - largest_score)
    You raise another number than e to the score. A softmax uses the exponential, math.exp.
sizes_of_scores: math.exp(score - largest_score) -> math.exp(abs(score))
or: math.exp(score - largest_score) -> abs(score)
    You take the absolute value of each score. A key that points the other way then looks like a
    good match, and its weight should be small.
cosine: strict=True)) for key in keys -> \
        strict=True)) / (math.hypot(*query) * math.hypot(*key)) for key in keys
    You divide the dot product by the lengths of query and key. That is the cosine of the angle
    between them; the score of this lesson is the plain dot product.
one_feature_short: zip(query, key, strict=True) -> zip(query[:-1], key[:-1], strict=True)
    Your dot product leaves out the last number of query and key: range(len(query)) goes up to the
    last one already.
all_pairs: sum(q * k for q, k in zip(query, key, strict=True)) -> sum(query) * sum(key)
    You multiply each number of the query with every number of the key. A dot product multiplies
    number by number: the first with the first, the second with the second.
divided_again: _with_output(lambda weights, values, query: \
                [x / len(values) for x in _average(weights, values)])
    You divide the weighted sum by the number of keys. The weights sum to 1 already, so the weighted
    sum is the average.
within_each_value: _with_output(lambda weights, values, query: \
                [sum((w * x for w, x in zip(weights, value, strict=False))) for value in values])
    You run along the numbers of one value with the weights. There is one weight for each key:
    number j of the output mixes number j of all values.
first_number_only: _with_output(lambda weights, values, query: _first_numbers(weights, values, 1))
    You average only the first number of each value. A value is a list: the output has as many
    numbers as one value.
length_of_query: _with_output(lambda weights, values, query: \
                _first_numbers(weights, values, len(query)))
    Your output has as many numbers as the query. It is an average of the values, so it has as many
    numbers as one value.
"""


def _average(weights, values):
    columns = zip(*values, strict=True)  # one per entry of a value
    return [sum(w * x for w, x in zip(weights, column, strict=True)) for column in columns]


def _with_output(output_of):
    """A version with right weights and the output ``output_of(weights, values, query)``."""

    def version(query, keys, values):
        weights = attend_by_hand(query, keys, values)[1]
        return output_of(weights, values, query), weights

    return version


def _first_numbers(weights, values, count):
    return [
        sum(w * value[j] for w, value in zip(weights, values, strict=True)) for j in range(count)
    ]


def _cases(*sizes):
    """(keys, query's length, value's length) each."""

    def make(generator):
        shapes = [((d,), (count, d), (count, d_v)) for count, d, d_v in sizes]
        return [Case(tuple(randn(generator, *s).tolist() for s in three)) for three in shapes]

    return make


def _other_sizes(generator):
    whole = [[2, 0], [[1, 3], [0, 2], [1, -1]], [[3], [0], [5]]]
    return [
        *_cases((1, 3, 2), (5, 3, 1), (4, 6, 6))(generator),
        Case(tuple(whole), label="whole numbers"),
    ]


EXERCISE = Exercise(
    lesson="01",
    number=1,
    reference=attend_by_hand,
    returns={"output": "the length of one value", "weights": "one weight per key"},
    kind="numbers",
    properties=(
        Property(
            "the weights are the softmax of the dot products of the query with each key",
            2,
            _cases((2, 2, 3), (3, 2, 1)),
            only="weights",
        ),
        Property(
            "the output is the average of the values, weighted with these weights",
            1,
            _cases((2, 2, 3), (3, 2, 1)),
            only="output",
        ),
        Property(
            "the same holds for other numbers of keys, other lengths and whole numbers",
            1,
            _other_sizes,
        ),
    ),
    mistakes=MISTAKES,
)
