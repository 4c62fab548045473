# wrong: forgets the margin on rungs 2 and 3
# named: without_margin


def rungs(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] for s in seeds),
            all(s["cost"] > s["control"] for s in seeds),
            all(abs(s["found"] - s["predicted"]) < margin for s in seeds),
            False,
        ]
        out.append(1 + holds.index(False))
    return out
