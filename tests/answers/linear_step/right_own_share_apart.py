# right
import torch


def linear_step(memory, total, query, key, value):
    own = (query * key).sum(-1, keepdim=True)
    mixed = (query[:, :, None] * memory).sum(1) + own * value
    output = mixed / ((query * total).sum(-1, keepdim=True) + own)
    return output, memory + torch.einsum("hi,hj->hij", key, value), total + key
