# wrong: any seed
# named: any_seed
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = any(row["score"] > row["baseline"] + margin for row in seeds)
        three = any(row["cost"] > row["control"] + margin for row in seeds)
        four = any(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers
