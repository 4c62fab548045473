# right
import torch


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = len(w_q) // num_heads
    mine = torch.arange(len(w_q)) // head_dim == head
    shared = torch.arange(len(w_k)) // head_dim == head * num_kv_heads // num_heads
    return [w_q[mine], w_k[shared], w_v[shared]]
