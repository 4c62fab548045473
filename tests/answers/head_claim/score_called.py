# wrong: hands over a number instead of the function
from course_lib.recorded import load_maps


def head_claim():
    pieces, weights = next(iter(load_maps().values()))
    score = weights[16, 0].diagonal(-1).mean()
    numbers = {"found": 0.80, "control": 0.21, "predicted": 0.7, "held": True}
    return {"layer": 16, "head": 0, "claim": "It looks one token back.", "score": score, **numbers}
