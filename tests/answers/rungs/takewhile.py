# right


def rungs(claims, margin):
    from itertools import takewhile

    tests = (
        lambda s: s["score"] - s["baseline"] > margin,
        lambda s: s["cost"] - s["control"] > margin,
        lambda s: -margin < s["found"] - s["predicted"] < margin,
    )
    return [1 + sum(1 for _ in takewhile(lambda t: all(map(t, seeds)), tests)) for seeds in claims]
