# wrong: asks whether a rung fails, so NaN counts as reached
# named: unmeasured_passes


def rungs(claims, margin):
    out = []
    for seeds in claims:
        if any(s["score"] <= s["baseline"] + margin for s in seeds):
            out.append(1)
        elif any(s["cost"] <= s["control"] + margin for s in seeds):
            out.append(2)
        elif any(abs(s["found"] - s["predicted"]) >= margin for s in seeds):
            out.append(3)
        else:
            out.append(4)
    return out
