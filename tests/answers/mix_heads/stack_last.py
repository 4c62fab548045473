# wrong: contributions are stacked at axis -2 (behind the tokens), not at the front
import torch


def mix_heads(heads, w_out):
    blocks = w_out.chunk(heads.shape[0], dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)], dim=-2)
    return parts.sum(-2), parts
