# wrong: the score depends on the length alone
# named: constant
def head_claim():
    def score(weights, pieces):
        return 1 / len(pieces)

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
