# wrong: compares blocks of rows of out_proj instead of columns
# named: rows_of_w_out
import torch


def stay_identical(heads, out_proj, x):
    same = all(
        torch.allclose(p, q) for h in heads for p, q in zip(heads[0].parameters(), h.parameters())
    )
    blocks = out_proj.weight.chunk(len(heads), dim=0)
    return same and all(torch.allclose(blocks[0], b) for b in blocks)
