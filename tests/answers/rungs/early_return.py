# right
def one(seeds, margin):
    if not all(row["score"] - row["baseline"] > margin for row in seeds):
        return 1
    if not all(row["cost"] - row["control"] > margin for row in seeds):
        return 2
    return 4 if all(-margin < row["found"] - row["predicted"] < margin for row in seeds) else 3


def rungs(claims, margin):
    return [one(seeds, margin) for seeds in claims]
