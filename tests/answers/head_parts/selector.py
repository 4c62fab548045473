# right
import torch


def head_parts(w_query, w_output, num_heads, i):
    owner = torch.arange(len(w_query)) // (len(w_query) // num_heads)
    return w_query[owner == i], w_output[:, owner == i]
