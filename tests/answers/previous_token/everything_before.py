# wrong: all keys before
# named: all_keys_before


def previous_token(weights):
    return weights.tril(-1).sum(-1)[:, :, 1:].mean(dim=(0, 2))
