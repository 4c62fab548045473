# right
import torch


def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    select = torch.eye(w_query.shape[0], dtype=w_query.dtype)[i * head_dim : (i + 1) * head_dim]
    return select @ w_query, w_output @ select.T
