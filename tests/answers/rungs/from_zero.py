# wrong: rungs from 0
# named: from_zero
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(0 if not two else 1 if not three else 2 if not four else 3)
    return answers
