# wrong: divides each score by the sum of the scores, without an exponential
# named: scores_normalised


def attend_by_hand(query, keys, values):
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
