# right
import torch


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    out = 0
    for i in range(0, w_query.shape[0], head_dim):
        h = slice(i, i + head_dim)
        q, k, v = x @ w_query[h].T, x @ w_key[h].T, x @ w_value[h].T
        out = out + torch.softmax(q @ k.T / head_dim**0.5, -1) @ v @ w_out[:, h].T
    return out
