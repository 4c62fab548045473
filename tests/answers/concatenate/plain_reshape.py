# wrong: reshapes to the right shape without moving the heads beside their features
# named: reshaped


def concatenate(heads):
    return heads.reshape(*heads.shape[1:-1], heads.shape[0] * heads.shape[-1])
