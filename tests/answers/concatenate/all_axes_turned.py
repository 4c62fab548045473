# wrong: permutes tokens and heads but takes the tokens for features


def concatenate(heads):
    return heads.transpose(-2, -1).movedim(0, -2).flatten(-2)
