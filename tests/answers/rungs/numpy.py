# right
import numpy as np


def rungs(claims, margin):
    answers = []
    for seeds in claims:
        col = {key: np.array([row[key] for row in seeds]) for key in seeds[0]}
        held = [
            (col["score"] > col["baseline"] + margin).all(),
            (col["cost"] > col["control"] + margin).all(),
            (np.abs(col["found"] - col["predicted"]) < margin).all(),
        ]
        answers.append(int(1 + np.cumprod(held).sum()))
    return answers
