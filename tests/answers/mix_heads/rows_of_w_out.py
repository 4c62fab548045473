# wrong: cuts w_out into blocks of rows for the contributions
# named: rows_of_w_out

import torch


def mix_heads(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = [w_out[i * head_dim : (i + 1) * head_dim] for i in range(num_heads)]
    if any(block.shape != (head_dim, w_out.shape[0]) for block in blocks):
        blocks = [w_out[:, i * head_dim : (i + 1) * head_dim].T for i in range(num_heads)]
    return output, torch.stack([h @ block for h, block in zip(heads, blocks)])
