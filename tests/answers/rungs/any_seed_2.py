# wrong: one seed is enough (any instead of all)
# named: any_seed


def rungs(claims, margin):
    out = []
    for seeds in claims:
        r = [
            any(s["score"] > s["baseline"] + margin for s in seeds),
            any(s["cost"] > s["control"] + margin for s in seeds),
            any(abs(s["found"] - s["predicted"]) < margin for s in seeds),
        ]
        h = 1
        while h < 4 and r[h - 1]:
            h += 1
        out.append(h)
    return out
