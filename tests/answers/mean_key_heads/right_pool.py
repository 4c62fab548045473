# right
import torch


def mean_key_heads(weight, num_heads, num_groups):
    # Each column is a picture: average over the heads of a group, row by row.
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    rows = weight.T.reshape(1, -1, num_heads, head_dim)
    pooled = torch.nn.functional.avg_pool2d(rows, (share, 1))
    return pooled.reshape(weight.shape[1], -1).T
