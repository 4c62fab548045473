# wrong: a head that does no more than the others
# named: does_not_beat_its_control
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 3,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.16,
        "control": 0.30,
        "predicted": 0.8,
        "held": False,
    }
