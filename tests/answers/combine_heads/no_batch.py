# wrong: merges the batch into the features


def combine_heads(heads):
    return heads.transpose(1, 2).reshape(heads.shape[2], -1)[None]
