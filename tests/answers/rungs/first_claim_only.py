# wrong: returns inside the loop over the claims
def rungs(claims, margin):
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        return [1 + two + (two and three) + (two and three and four)]
