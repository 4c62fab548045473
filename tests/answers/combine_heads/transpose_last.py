# wrong: transposes axes 2 and 3 as well, so a token's features are dim-major with the heads interleaved
# named: interleaved


def combine_heads(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)
