# wrong: the best sentence only
# named: one_sentence
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.93,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }
