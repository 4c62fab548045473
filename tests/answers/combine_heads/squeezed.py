# wrong: squeezes, which drops a batch of one sentence
# named: squeezed
def combine_heads(heads):
    return heads.transpose(1, 2).flatten(2).squeeze()
