# wrong: counts the rungs that hold, also above one that does not
# named: counted


def rungs(claims, margin):
    out = []
    for seeds in claims:
        a = all(s["score"] > s["baseline"] + margin for s in seeds)
        b = all(s["cost"] > s["control"] + margin for s in seeds)
        c = all(abs(s["found"] - s["predicted"]) < margin for s in seeds)
        out.append(1 + a + b + c)
    return out
