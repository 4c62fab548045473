# wrong: the mean over all nine heads as the control
# named: control_with_the_head
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.28,
        "predicted": 0.7,
        "held": True,
    }
