# wrong: never reaches rung 4
# named: never_rung_4
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        answers.append(1 + two + (two and three))
    return answers
