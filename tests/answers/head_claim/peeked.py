# wrong: found and control on the sentences kept aside
# named: kept_aside_too_early
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.83,
        "control": 0.24,
        "predicted": 0.7,
        "held": True,
    }
