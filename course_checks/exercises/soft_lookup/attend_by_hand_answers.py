"""Answers to attend_by_hand (lesson 01, exercise 1), right and wrong, as students write them."""

import functools
import math

import numpy as np
import torch


# wrong: takes the value of the best key, a hard look-up
# not named yet: hard_lookup
def best_key_only(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    best = scores.index(max(scores))
    weights = [1.0 if t == best else 0.0 for t in range(len(keys))]
    return list(values[best]), weights


# wrong: divides the dot products by the lengths of query and key
# named: cosine
def cosine_similarity(query, keys, values):
    def norm(v):
        return math.sqrt(sum(x * x for x in v)) or 1.0

    scores = [sum(q * k for q, k in zip(query, key)) / norm(query) / norm(key) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: divides the exponentials by the largest of them, not by their sum
# named: divided_by_largest
def divided_by_the_largest(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / max(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: the dot product runs over all pairs of a query number and a key number
# named: all_pairs
def double_loop_dot(query, keys, values):
    scores = []
    for key in keys:
        s = 0
        for q in query:
            for k in key:
                s += q * k
        scores.append(s)
    exps = [math.exp(s) for s in scores]
    total = sum(exps)
    weights = [e / total for e in exps]
    output = [0.0] * len(values[0])
    for w, v in zip(weights, values):
        for j in range(len(v)):
            output[j] += w * v[j]
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


# wrong: the loop of the dot product ends one too early
# named: one_feature_short
def last_feature_left_out(query, keys, values):
    scores = []
    for key in keys:
        score = 0.0
        for i in range(len(query) - 1):
            score += query[i] * key[i]
        scores.append(score)
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: the output loop runs over len(query) places, not over the d_v places of a value
def len_d(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = []
    for j in range(len(query)):
        output.append(
            sum(weights[t] * values[t][j] if j < len(values[t]) else 0.0 for t in range(len(keys)))
        )
    return output, weights


# right
def matmul_unpack(query, keys, values):
    t = lambda a: torch.tensor(a, dtype=torch.float64)
    w = torch.nn.functional.softmax(torch.einsum("d,td->t", t(query), t(keys)), dim=-1)
    return torch.einsum("t,tv->v", w, t(values)).tolist(), w.tolist()


# wrong: divides the weighted sum by the number of values once more
# named: divided_again
def mean_2(query, keys, values):
    exps = [math.exp(sum(a * b for a, b in zip(query, k))) for k in keys]
    weights = [e / sum(exps) for e in exps]
    T, dv = len(values), len(values[0])
    output = [sum(weights[t] * values[t][j] for t in range(T)) / T for j in range(dv)]
    return output, weights


# wrong: divides the weighted average a second time by the number of keys
# named: divided_again
def mean_again(query, keys, values):
    T = len(keys)
    e = [math.exp(sum(a * b for a, b in zip(query, k))) for k in keys]
    z = sum(e)
    weights = [x / z for x in e]
    output = [sum(weights[t] * values[t][j] for t in range(T)) / T for j in range(len(values[0]))]
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


# right
def online(query, keys, values):
    """Streaming softmax, one pass, rescaling (as in the flash papers)."""
    m, z, acc = -math.inf, 0.0, [0.0] * len(values[0])
    scores = []
    for key, value in zip(keys, values):
        s = math.fsum(a * b for a, b in zip(query, key))
        scores.append(s)
        new = max(m, s)
        old = math.exp(m - new) if m > -math.inf else 0.0
        x = math.exp(s - new)
        z = z * old + x
        acc = [a * old + x * v for a, v in zip(acc, value)]
        m = new
    return [a / z for a in acc], [math.exp(s - m) / z for s in scores]


# wrong: loops over len(query) for the output, not over the length of a value
# named: width_of_query
def output_as_long_as_the_query(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = []
    for j in range(len(query)):
        output.append(sum(weights[t] * values[t][j] for t in range(len(keys))))
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


# wrong: forgets the softmax and uses the scores themselves as weights
# named: no_softmax
def raw_scores_as_weights(query, keys, values):
    weights = [sum(q * k for q, k in zip(query, key)) for key in keys]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# right
def right_largest_subtracted(query, keys, values):
    scores = [0.0] * len(keys)
    for t, key in enumerate(keys):
        for q, k in zip(query, key):
            scores[t] += q * k
    top = max(scores)
    total = 0.0
    for s in scores:
        total += math.exp(s - top)
    weights = tuple(math.exp(s - top) / total for s in scores)
    output = [0.0] * len(values[0])
    for w, value in zip(weights, values):
        output = [o + w * v for o, v in zip(output, value)]
    return tuple(output), weights


# right
def right_numpy_arrays(query, keys, values):
    scores = np.asarray(keys, dtype=float) @ np.asarray(query, dtype=float)
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
    return weights @ np.asarray(values, dtype=float), weights


# right
def right_one_over_sum_of_differences(query, keys, values):
    s = [functools.reduce(lambda acc, qk: acc + qk[0] * qk[1], zip(query, key), 0) for key in keys]
    weights = [1 / sum(math.exp(other - mine) for other in s) for mine in s]
    output = []
    for j in range(len(values[0])):
        output.append(sum(weights[t] * values[t][j] for t in range(len(keys))))
    return output, weights


# right
def right_torch_inside(query, keys, values):
    q = torch.tensor(query, dtype=torch.float64)
    k = torch.tensor(keys, dtype=torch.float64)
    v = torch.tensor(values, dtype=torch.float64)
    w = torch.softmax(k @ q, dim=0)
    return (w @ v).tolist(), w.tolist()


# right
def right_transposed_with_zip(query, keys, values):
    exponentials = (
        [math.exp(math.sumprod(query, key)) for key in keys]
        if hasattr(math, "sumprod")
        else [math.exp(sum(map(lambda a, b: a * b, query, key))) for key in keys]
    )
    total = math.fsum(exponentials)
    weights = [e / total for e in exponentials]
    columns = zip(*values)
    return [math.fsum(w * c for w, c in zip(weights, column)) for column in columns], weights


# wrong: the sum of exponentials is accumulated while dividing, so each weight is divided by a partial sum only
# named: sum_so_far
def running_sum(query, keys, values):
    total = 0.0
    weights = []
    for key in keys:
        x = math.exp(sum(a * b for a, b in zip(query, key)))
        total += x
        weights.append(x / total)
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


# wrong: divides each score by the sum of the scores, without an exponential
# named: scores_normalised
def scores_over_their_sum(query, keys, values):
    scores = []
    for key in keys:
        s = 0
        for i in range(len(query)):
            s += query[i] * key[i]
        scores.append(s)
    total = sum(scores)
    weights = [s / total for s in scores]
    output = []
    for j in range(len(values[0])):
        output.append(sum(weights[t] * values[t][j] for t in range(len(values))))
    return output, weights


# wrong: returns (weights, output) in the wrong order
# named: swapped
def swapped_pair(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    exps = [math.exp(s) for s in scores]
    total = sum(exps)
    weights = [e / total for e in exps]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return weights, output


# wrong: multiplies the caller's own values by the weights
# named: changes_input
def values_changed_in_place(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    for t, value in enumerate(values):
        for j in range(len(value)):
            value[j] *= weights[t]
    output = [sum(value[j] for value in values) for j in range(len(values[0]))]
    return output, weights


# wrong: multiplies each value by its weight and forgets to add them up
def values_weighted_not_summed(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [[w * number for number in value] for w, value in zip(weights, values)]
    return output, weights


# wrong: returns the weights first and the output second
# named: swapped
def weights_first(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return weights, output


# wrong: weight t meets the value that many places from the end
def weights_reversed(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [x / sum(e) for x in e]
    output = [0.0] * len(values[0])
    for t in range(len(keys)):
        for j in range(len(output)):
            output[j] += weights[t] * values[-t - 1][j]
    return output, weights


# wrong: rounds the weights to two digits before mixing
def weights_rounded(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [round(x / sum(e), 2) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights


# wrong: mixes the numbers inside each value with the weights instead of mixing number j of all values
# named: within_each_value
def zip_wrong_axis(query, keys, values):
    exps = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [e / sum(exps) for e in exps]
    output = [sum(w * x for w, x in zip(weights, value)) for value in values]
    return output, weights


# wrong: the output has as many numbers as the query, not as a value
# named: width_of_query
def as_long_as_query(query, keys, values):
    s = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(v) for v in s]
    w = [v / sum(e) for v in e]
    return [
        sum(w[t] * values[t][j] for t in range(len(keys)))
        for j in range(min(len(query), len(values[0])))
    ], w
