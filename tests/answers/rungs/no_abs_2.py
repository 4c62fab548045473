# wrong: takes a found number far below the predicted one for a hit
# named: worse_than_predicted


def rungs(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(s["found"] - s["predicted"] < margin for s in seeds),
            False,
        ]
        out.append(1 + holds.index(False))
    return out
