# right


def stable_softmax(scores):
    differences = scores[..., None, :] - scores[..., :, None]  # entry (i, j) is s_j - s_i
    return 1 / differences.exp().sum(dim=-1)
