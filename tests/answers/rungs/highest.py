# wrong: the highest rung that holds
# named: highest_that_holds
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(4 if four else 3 if three else 2 if two else 1)
    return answers
