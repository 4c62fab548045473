# wrong: transposes and stops there
# named: not_merged
def combine_heads(heads):
    return heads.transpose(1, 2)
