# wrong: skips seeds with a NaN
# named: unmeasured_passes
import math


def rungs(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        pairs = (("score", "baseline"), ("cost", "control"), ("found", "predicted"))
        for a, b in pairs:
            gaps = [row[a] - row[b] for row in seeds if not math.isnan(row[a] - row[b])]
            ok = all(abs(g) < margin if a == "found" else g > margin for g in gaps)
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers
