# wrong: the tokens come out in reversed order
def combine_heads(heads):
    return heads.transpose(1, 2).flatten(2).flip(1)
