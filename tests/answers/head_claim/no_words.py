# wrong: a claim of one word
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "previous",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }
