# wrong: takes the highest rung that holds, whatever fails below it
# named: highest_that_holds


def rungs(claims, margin):
    out = []
    for seeds in claims:
        if all(abs(s["found"] - s["predicted"]) < margin for s in seeds):
            out.append(4)
        elif all(s["cost"] > s["control"] + margin for s in seeds):
            out.append(3)
        elif all(s["score"] > s["baseline"] + margin for s in seeds):
            out.append(2)
        else:
            out.append(1)
    return out
