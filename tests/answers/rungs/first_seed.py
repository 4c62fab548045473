# wrong: the first seed only
# named: first_seed_only
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds[:1])
        three = all(row["cost"] > row["control"] + margin for row in seeds[:1])
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds[:1])
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers
