# wrong: the rows of all three in one matrix
import torch


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return torch.cat((w_q[head * n : (head + 1) * n], w_k[own], w_v[own]))
