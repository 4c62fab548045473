# wrong: the score itself is in percent
# named: no_share
def head_claim():
    def score(weights, pieces):
        return 100 * weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 80,
        "control": 21,
        "predicted": 70,
        "held": True,
    }
