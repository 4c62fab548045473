# wrong: rung 4 holds if found exceeds predicted minus margin (no absolute difference)
# named: better_than_predicted


def rungs(claims, margin):
    out = []
    for seeds in claims:
        r = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(s["found"] > s["predicted"] - margin for s in seeds),
            False,
        ]
        out.append(1 + r.index(False))
    return out
