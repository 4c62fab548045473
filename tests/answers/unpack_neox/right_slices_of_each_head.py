# right
import torch


def unpack_neox(weight, num_heads):
    q, k, v = [], [], []
    for head in weight.chunk(num_heads):
        for rows, found in zip(head.chunk(3), (q, k, v)):
            found.append(rows)
    return torch.cat(q), torch.cat(k), torch.cat(v)
