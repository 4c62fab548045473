# right
import torch


def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """Makes the cache of one token, of numbers of one byte."""
    layer = [torch.zeros(num_kv_heads, head_dim, dtype=torch.uint8) for _ in ("key", "value")]
    one = num_layers * bytes_per_number * sum(kept.numel() for kept in layer)
    return [one, one * tokens]
