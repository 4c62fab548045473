# wrong: asks whether a rung fails
# named: unmeasured_passes
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        if not any(r["score"] <= r["baseline"] + margin for r in seeds):
            rung = 2
            if not any(r["cost"] <= r["control"] + margin for r in seeds):
                rung = 3
                if not any(abs(r["found"] - r["predicted"]) >= margin for r in seeds):
                    rung = 4
        answers.append(rung)
    return answers
