# wrong: returns inside the loop over the claims
# named: shape | first_claim_only
def rungs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        return [1 + two + (two and three) + (two and three and four)]
