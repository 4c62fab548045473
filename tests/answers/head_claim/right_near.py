# right
def head_claim():
    def near(w, pieces):
        n = len(pieces)
        total = 0.0
        for i in range(1, n):
            for j in range(max(0, i - 2), i + 1):
                total += float(w[i, j])
        return total / (n - 1)

    numbers = {"found": 0.98, "control": 0.48, "predicted": 0.95, "held": True}
    words = "Its weight lies within two tokens of the query."
    return {"layer": 2, "head": 1, "claim": words, "score": near, **numbers}
