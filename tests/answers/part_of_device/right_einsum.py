# right
import torch
import torch.nn.functional as F


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (F.linear(x, w).view(x.shape[0], -1, head_dim) for w in (w_query, w_key, w_value))
    s = torch.einsum("ihd,jhd->hij", q, k) * head_dim**-0.5
    out = w_out.view(w_out.shape[0], -1, head_dim)
    return torch.einsum("hij,jhd,ohd->io", s.softmax(2), v, out)
