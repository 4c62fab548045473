# right
import torch


def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    mine = torch.arange(w_query.shape[0]) // head_dim == i
    return w_query[mine], w_output[:, mine]
