"""Answers to attend_by_hand (lesson 01, exercise 1), right and wrong, as students write them."""

import functools
import math

import numpy as np
import torch

import course_checks as checks


# right
def numpy(query, keys, values):
    scores = np.array(keys) @ np.array(query)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ np.array(values), weights


# right
def by_torch(q, k, v):
    weights = torch.tensor(k, dtype=torch.float64) @ torch.tensor(q, dtype=torch.float64)
    weights = weights.softmax(0)
    return (weights @ torch.tensor(v, dtype=torch.float64)), tuple(weights)


# wrong: takes the value of the best key, a hard look-up
# not named yet: hard_lookup
def best_key_only(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    best = scores.index(max(scores))
    weights = [1.0 if t == best else 0.0 for t in range(len(keys))]
    return list(values[best]), weights


# wrong: divides the exponentials by the largest of them, not by their sum
# named: divided_by_largest
def divided_by_the_largest(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / max(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: takes the exponentials and never divides them by their sum
# named: not_normalised
def exponentials_not_normalised(query, keys, values):
    weights = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: mixes only the first number of each value
# named: first_number_only
def first_number_only(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * v[0] for w, v in zip(weights, values))]
    return output, weights


# wrong: makes integer tensors of whole numbers, and torch has no softmax for these
def int_tensors(query, keys, values):
    q, k, v = torch.tensor(query), torch.tensor(keys), torch.tensor(values)
    weights = torch.softmax(k @ q, dim=0)
    return (weights @ v).tolist(), weights.tolist()


# wrong: divides the weighted sum by the number of values once more
# named: divided_again
def mean_2(query, keys, values):
    exps = [math.exp(sum(a * b for a, b in zip(query, k))) for k in keys]
    weights = [e / sum(exps) for e in exps]
    T, dv = len(values), len(values[0])
    output = [sum(weights[t] * values[t][j] for t in range(T)) / T for j in range(dv)]
    return output, weights


# wrong: takes exp(-score), so the worst match gets the largest weight
# named: negated
def minus_in_the_exponent(query, keys, values):
    e = [math.exp(-sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: the output mixes the keys instead of the values
# named: keys_averaged
def mixes_the_keys(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * k[j] for w, k in zip(weights, keys)) for j in range(len(keys[0]))]
    return output, weights


# wrong: the weights are right but the output is the plain average of the values
# named: plain_mean
def plain_mean_of_the_values(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(v[j] for v in values) / len(values) for j in range(len(values[0]))]
    return output, weights


# wrong: uses 2 ** score where it should be e ** score
# named: other_base
def powers_of_two(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    powers = [2**s for s in scores]
    weights = [p / sum(powers) for p in powers]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: divides the scores by the square root of d, which this lesson does not do yet
# named: scaled
def scale_from_the_paper(query, keys, values):
    d = len(query)
    scores = [sum(q * k for q, k in zip(query, key)) / math.sqrt(d) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: takes the absolute value of each score before the exponential
# named: sizes_of_scores
def scores_made_positive(query, keys, values):
    e = [math.exp(abs(sum(q * k for q, k in zip(query, key)))) for key in keys]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: multiplies the caller's own values by the weights
# named: changes_input
# points: 4
def values_changed_in_place(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    for t, value in enumerate(values):
        for j in range(len(value)):
            value[j] *= weights[t]
    output = [sum(value[j] for value in values) for j in range(len(values[0]))]
    return output, weights


# wrong: returns the weights first and the output second
# named: swapped
def weights_first(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return weights, output


# wrong: rounds the weights to two digits before mixing
def weights_rounded(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [round(x / sum(e), 2) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: mixes the numbers inside each value with the weights instead of mixing number j of all values
# named: within_each_value
# points: 3
def zip_wrong_axis(query, keys, values):
    exps = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [e / sum(exps) for e in exps]
    output = [sum(w * x for w, x in zip(weights, value)) for value in values]
    return output, weights


# wrong: returns the weights without the output
# says: returned only one of the two
def only_the_weights(query, keys, values):
    return checks.attend_by_hand.exercise.reference(query, keys, values)[1]


# wrong: puts the output into one more list
# says: a list whose first entry is a list
def nested_output(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [output], weights


# wrong: rounds what it returns
# says: do not round what you return
def rounded(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [round(x, 3) for x in output], [round(w, 3) for w in weights]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for count, d, d_v in ((2, 1, 1), (6, 4, 3), (3, 5, 5)):
        shapes = ((d,), (count, d), (count, d_v))
        yield tuple((randn(*shape) / math.sqrt(d)).tolist() for shape in shapes)
