# right

import torch


def mix_heads(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    blocks = w_out.T.reshape(num_heads, head_dim, -1)
    flat = heads.reshape(num_heads, -1, head_dim)
    contributions = torch.bmm(flat, blocks).reshape(*heads.shape[:-1], -1)
    return contributions.sum(0), contributions
