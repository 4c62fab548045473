# right
import math


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    shared = math.floor(head * num_kv_heads / num_heads)
    return (
        w_q.tensor_split(num_heads)[head],
        w_k.tensor_split(num_kv_heads)[shared],
        w_v.tensor_split(num_kv_heads)[shared],
    )
