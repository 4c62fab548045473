# right
import torch


def delta_step(memory, query, key, value, beta, decay):
    b = beta[:, None, None]
    project = torch.eye(key.shape[-1], dtype=memory.dtype) - b * key[:, :, None] * key[:, None, :]
    memory = project @ (decay[:, None, None] * memory) + b * key[:, :, None] * value[:, None, :]
    return torch.einsum("hk,hkv->hv", query, memory), memory
