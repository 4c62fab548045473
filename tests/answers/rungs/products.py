# right
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(1 + two + two * three + two * three * four)
    return answers
