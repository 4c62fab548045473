# wrong: abs() of all three differences
# named: distance_in_both_ways
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(abs(row["score"] - row["baseline"]) > margin for row in seeds)
        three = all(abs(row["cost"] - row["control"]) > margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers
