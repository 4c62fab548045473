# wrong: flattens the last two axes without a transpose
# named: tokens_merged
def combine_heads(heads):
    return heads.flatten(2)
