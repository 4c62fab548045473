# right
def rungs(claims, margin):
    def height(row):
        if not row["score"] > row["baseline"] + margin:
            return 1
        if not row["cost"] > row["control"] + margin:
            return 2
        return 4 if abs(row["predicted"] - row["found"]) < margin else 3

    return [min(map(height, seeds)) for seeds in claims]
