# wrong: feature 0 of all heads comes first
# named: interleaved


def combine_heads(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)
