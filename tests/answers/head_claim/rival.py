# wrong: the best of the other heads as the control
# named: largest_control
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.27,
        "predicted": 0.7,
        "held": True,
    }
