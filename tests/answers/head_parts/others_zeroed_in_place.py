# wrong: writes zeros into the other heads' rows of w_query and w_output
# named: changes_input
import torch


def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    keep = torch.zeros(w_query.shape[0], dtype=torch.bool)
    keep[part] = True
    w_query[~keep] = 0.0
    w_output[:, ~keep] = 0.0
    return w_query[part], w_output[:, part]
