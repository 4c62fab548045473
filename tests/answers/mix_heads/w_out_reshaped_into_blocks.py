# wrong: reshapes w_out to (num_heads, head_dim, d_model), which is not its blocks of columns
# named: reshaped_w_out

import torch


def mix_heads(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    blocks = w_out.reshape(num_heads, head_dim, -1)
    contributions = torch.stack([h @ b for h, b in zip(heads, blocks)])
    return torch.cat(list(heads), dim=-1) @ w_out.T, contributions
