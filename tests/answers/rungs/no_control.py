# wrong: the cost against the margin only
# named: without_control
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers
