# wrong: the score expects the maps of all heads
def head_claim():
    def score(weights, pieces):
        return weights[:, :, 1:, 0].mean()

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
