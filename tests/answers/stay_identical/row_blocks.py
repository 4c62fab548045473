# wrong: compares blocks of rows of out_proj.weight instead of blocks of columns
# named: rows_of_w_out
import torch


def stay_identical(heads, out_proj, x):
    same = all(
        torch.allclose(a, b) for h in heads for a, b in zip(heads[0].parameters(), h.parameters())
    )
    blocks = out_proj.weight.chunk(len(heads), dim=0)
    return same and all(b.shape == blocks[0].shape and torch.allclose(b, blocks[0]) for b in blocks)
