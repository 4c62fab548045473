# wrong: one seed is enough for a rung
# named: any_seed


def rungs(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            any(s["score"] > s["baseline"] + margin for s in seeds),
            any(s["cost"] > s["control"] + margin for s in seeds),
            any(abs(s["found"] - s["predicted"]) < margin for s in seeds),
        ]
        out.append(1 + (holds + [False]).index(False))
    return out
