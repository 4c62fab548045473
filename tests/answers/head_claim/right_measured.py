# right
from course_lib.recorded import load_maps


def head_claim():
    def score(weights, pieces):
        return weights.diagonal()[1:].mean()

    def mean(layer, head, texts):
        return sum(score(w[layer, head], p) for p, w in texts.values()) / len(texts)

    shown = load_maps()
    found = mean(29, 1, shown)
    control = sum(mean(29, head, shown) for head in range(9) if head != 1) / 8
    claim = {"layer": 29, "head": 1, "claim": "A query looks at itself.", "score": score}
    came = mean(29, 1, load_maps(kept_aside=True))
    return claim | {"found": found, "control": control, "predicted": 0.6, "held": came >= 0.6}
