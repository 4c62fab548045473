# wrong: counts the rungs from 0
# named: from_zero


def rungs(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(abs(s["found"] - s["predicted"]) < margin for s in seeds),
            False,
        ]
        out.append(holds.index(False))
    return out
