# wrong: returns weights without the scale beside a scaled output
# named: only_output_scaled
import torch
import torch.nn.functional as F


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    return F.scaled_dot_product_attention(q, k, v), torch.softmax(q @ k.mT, dim=-1)
