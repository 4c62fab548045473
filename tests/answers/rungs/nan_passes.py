# wrong: asks whether a rung fails, and NaN never fails
# named: unmeasured_passes


def rungs(claims, margin):
    out = []
    for seeds in claims:
        rung = 1
        if not any(s["score"] <= s["baseline"] + margin for s in seeds):
            rung = 2
            if not any(s["cost"] <= s["control"] + margin for s in seeds):
                rung = 3
                if not any(abs(s["found"] - s["predicted"]) >= margin for s in seeds):
                    rung = 4
        out.append(rung)
    return out
