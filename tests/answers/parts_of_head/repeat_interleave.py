# right
import torch


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = w_k.shape[0] // num_kv_heads
    share = num_heads // num_kv_heads
    key_of = torch.arange(num_kv_heads).repeat_interleave(share)
    kv = int(key_of[head])
    rows = torch.arange(head_dim)
    return w_q[head * head_dim + rows], w_k[kv * head_dim + rows], w_v[kv * head_dim + rows]
