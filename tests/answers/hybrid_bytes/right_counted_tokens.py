# right
import torch


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    found = []
    for layer in layers:
        if layer == "state":
            found.append(torch.empty(num_heads, head_dim, head_dim, device="meta").nbytes)
            continue
        count = tokens if layer == "global" else sorted((window, tokens))[0]
        keys = torch.empty(num_kv_heads, count, head_dim, device="meta")
        found.append(2 * keys.numel() * bytes_per_number)
    return found
