# wrong: the reshape (head_dim, num_heads) of w_out.T gives head i every num_heads-th column of w_out, from column i on, instead of a block
# named: every_nth_column
import torch


def mix_heads(heads, w_out):
    h, hd = heads.shape[0], heads.shape[-1]
    joined = torch.cat(list(heads), dim=-1)
    output = joined @ w_out.T
    blocks = w_out.T.reshape(hd, h, -1)
    return output, torch.stack([heads[i] @ blocks[:, i] for i in range(h)])
