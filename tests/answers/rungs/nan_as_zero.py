# wrong: NaN counts as 0
# named: unmeasured_is_0
def rungs(claims, margin):
    rows = [
        [{k: (0.0 if v != v else v) for k, v in row.items()} for row in seeds] for seeds in claims
    ]
    answers = []
    for seeds in rows:
        rung = 1
        if all(r["score"] > r["baseline"] + margin for r in seeds):
            rung = 2
            if all(r["cost"] > r["control"] + margin for r in seeds):
                rung = 3
                if all(abs(r["found"] - r["predicted"]) < margin for r in seeds):
                    rung = 4
        answers.append(rung)
    return answers
