"""Lesson 01, exercise 1: one query by hand, with plain Python lists."""

import math

from course_checks.exercise import Case, Exercise, Property, randn


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
    largest_score = max(scores)
    numerators = [math.exp(score - largest_score) for score in scores]
    weights = [numerator / sum(numerators) for numerator in numerators]
    return _average(weights, values), weights


MISTAKES = """
width_of_query: _average(weights, values) -> _average(weights, values)[: len(query)]
or: return _average(weights, values) -> return [sum(w * value[j] for w, value in zip(weights, \
        values, strict=True)) for j in range(len(query))]
    Your weights are right, and your output has the length of the query. It is a mix of values, so
    it is as long as a value.
no_softmax: [numerator / sum(numerators) for numerator in numerators] -> scores
evidence: row_sum()
    Your weights are the raw dot products, so the output is no average yet: the softmax is missing.
scores_normalised: math.exp(score - largest_score) -> score
    You divide the dot products by their sum, without the exponential. A negative score gives a
    negative weight.
not_normalised: - largest_score -> && / sum(numerators) ->
evidence: row_sum()
    You take the exponential of each score and stop there. Divide by the sum of them all.
distance: sum(q * k for q, k in zip(query, key, strict=True)) -> math.dist(query, key)
or: sum(q * k for q, k in zip(query, key, strict=True)) -> -math.dist(query, key)
    Your score is made of the distance from the query to the key. Here it is the dot product.
negated: sum(q * k -> -sum(q * k
    The sign is turned round: the key that fits the query worst gets the most weight.
hard_lookup: [numerator / sum(numerators) for numerator in numerators] -> \
        [float(score == largest_score) for score in scores]
    All the weight goes to the best key. Here every key takes part, as much as the softmax says.
scaled: strict=True)) for key in keys -> strict=True)) / math.sqrt(len(query)) for key in keys
evidence: largest("weights")
    You divide the scores by sqrt(d). That comes in lesson 02; here they are the plain dot products.
swapped: _average(weights, values), weights -> weights, _average(weights, values)
    The two answers are in the other order: the output comes first, then the weights.
plain_mean: _average(weights, values) -> _average([1 / len(keys)] * len(keys), values)
    Your weights are right, and your output does not use them: it is the plain mean of the values.
keys_averaged: _average(weights, values) -> _average(weights, keys)
    Your weights are right, and your output averages the keys. What is handed back are the values.
divided_by_largest: / sum(numerators) -> / max(numerators)
evidence: row_sum()
    You divide the exponentials by the largest. A softmax divides by their sum.
sum_so_far: numerator / sum(numerators) for numerator in numerators -> \
        x / sum(numerators[: i + 1]) for i, x in enumerate(numerators)
    You divide each exponential by the sum of those up to it. Finish the sum first.
other_base: math.exp(score - largest_score) -> 2 ** (score - largest_score)
or: math.exp(score - largest_score) -> 10 ** (score - largest_score)
    You raise another number than e to the score. A softmax uses the exponential, math.exp.
sizes_of_scores: math.exp(score - largest_score) -> math.exp(abs(score)) || abs(score)
    You take the absolute value of each score. A key that points the other way then looks like a
    good match.
cosine: strict=True)) for key in keys -> \
        strict=True)) / (math.hypot(*query) * math.hypot(*key)) for key in keys
    You divide the dot product by the lengths of query and key. The score here is the plain one.
one_feature_short: zip(query, key, strict=True) -> zip(query[:-1], key[:-1], strict=True)
    Your dot product leaves out the last number: range(len(query)) goes up to it already.
all_pairs: sum(q * k for q, k in zip(query, key, strict=True)) -> sum(query) * sum(key)
    You multiply each number of the query with every number of the key. A dot product multiplies the
    first with the first, the second with the second.
divided_again: return _average(weights, values) -> \
                return [x / len(values) for x in _average(weights, values)]
    You divide the weighted sum by the number of keys. The weights sum to 1 already.
within_each_value: return _average(weights, values) -> return [sum(w * x for w, x in zip(weights, \
        value, strict=False)) for value in values]
    You run along the numbers of one value with the weights. Number j of the output mixes number j
    of all values.
first_number_only: return _average(weights, values) -> \
                return [sum(w * value[0] for w, value in zip(weights, values, strict=True))]
    You average only the first number of each value. The output has as many as one value.
"""


def _average(weights, values):
    columns = zip(*values, strict=True)  # one per entry of a value
    return [sum(w * x for w, x in zip(weights, column, strict=True)) for column in columns]


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
