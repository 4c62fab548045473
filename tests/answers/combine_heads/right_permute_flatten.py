# right
def combine_heads(heads):
    return heads.permute(0, 2, 1, 3).flatten(start_dim=2)
