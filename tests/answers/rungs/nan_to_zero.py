# wrong: replaces NaN by 0
# named: unmeasured_is_0
import math


def rungs(claims, margin):
    out = []
    for seeds in claims:
        rows = [{k: 0.0 if math.isnan(v) else v for k, v in s.items()} for s in seeds]
        holds = [
            all(s["score"] > s["baseline"] + margin for s in rows),
            all(s["cost"] > s["control"] + margin for s in rows),
            all(abs(s["found"] - s["predicted"]) < margin for s in rows),
            False,
        ]
        out.append(1 + holds.index(False))
    return out
