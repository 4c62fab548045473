# wrong: takes the highest rung that holds, leaving out rungs below it
# named: highest_that_holds


def rungs(claims, margin):
    out = []
    for seeds in claims:
        h = 1
        if all(s["score"] > s["baseline"] + margin for s in seeds):
            h = 2
        if all(s["cost"] > s["control"] + margin for s in seeds):
            h = 3
        if all(abs(s["found"] - s["predicted"]) < margin for s in seeds):
            h = 4
        out.append(h)
    return out
