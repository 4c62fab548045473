# right
import torch


def unpack_neox(weight, num_heads):
    n = len(weight) // (3 * num_heads)
    which = [[r for r in range(len(weight)) if (r // n) % 3 == j] for j in range(3)]
    return tuple(weight[torch.tensor(rows)] for rows in which)
