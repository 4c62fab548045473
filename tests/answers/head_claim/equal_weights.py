# wrong: the score of equal weights as the control
# named: equal_weights
def head_claim():
    def score(weights, pieces):
        return weights[1:, 0].mean()

    return {
        "layer": 18,
        "head": 8,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 1.0,
        "control": 0.21,
        "predicted": 0.9,
        "held": True,
    }
