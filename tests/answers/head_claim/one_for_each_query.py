# wrong: a number for each query
# named: many_numbers
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1)

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
