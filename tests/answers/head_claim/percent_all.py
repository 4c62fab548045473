# wrong: numbers in percent
# named: percent
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 80,
        "control": 22,
        "predicted": 70,
        "held": True,
    }
