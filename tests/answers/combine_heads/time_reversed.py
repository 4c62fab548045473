# wrong: the tokens come out in reversed order
# named: tokens_reversed
def combine_heads(heads):
    return heads.transpose(1, 2).flatten(2).flip(1)
