# right
import torch


def head_claim():
    def score(weights, pieces):
        counts = torch.arange(2, len(pieces) + 1)
        entropy = -torch.xlogy(weights, weights).sum(dim=-1)[1:]
        return 1 - (entropy / counts.log()).mean()

    return {
        "layer": 18,
        "head": 8,
        "claim": "It looks at one token only, whichever that is.",
        "score": score,
        "found": 0.998,
        "control": 0.615,
        "predicted": 0.99,
        "held": True,
    }
