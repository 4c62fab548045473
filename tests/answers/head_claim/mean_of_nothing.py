# wrong: the mean over no queries where no word is repeated
# named: not_finite
def head_claim():
    def score(weights, pieces):
        pairs = [(i, j) for i in range(len(pieces)) for j in range(i) if pieces[i] == pieces[j]]
        rows, columns = [i for i, _ in pairs], [j for _, j in pairs]
        return weights[rows, columns].mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }
