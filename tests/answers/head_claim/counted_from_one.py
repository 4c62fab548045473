# wrong: layer and head counted from 1
# named: another_head
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 17,
        "head": 1,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }
