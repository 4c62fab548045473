# right

import torch


def mix_heads(heads, w_out):
    blocks = w_out.unflatten(1, (heads.shape[0], heads.shape[-1]))  # (d_model, heads, head_dim)
    contributions = torch.einsum("h...tc,mhc->h...tm", heads, blocks)
    return contributions.sum(dim=0), contributions
