# wrong: a tuple instead of a dictionary
def head_claim():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return 16, 0, "It looks at the token before.", score, 0.80, 0.21, 0.7, True
