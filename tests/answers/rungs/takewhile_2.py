# right
from itertools import takewhile


def rungs(claims, margin):
    tests = (
        lambda s: s["baseline"] + margin < s["score"],
        lambda s: s["control"] + margin < s["cost"],
        lambda s: -margin < s["found"] - s["predicted"] < margin,
    )
    return [
        1 + sum(1 for _ in takewhile(lambda test: all(map(test, seeds)), tests)) for seeds in claims
    ]
