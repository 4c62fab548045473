# wrong: compares blocks of rows of out_proj
# named: rows_of_w_out

import torch


def stay_identical(heads, out_proj, x):
    rows = out_proj.weight.chunk(len(heads), dim=0)
    same_rows = all(r.shape == rows[0].shape and torch.allclose(rows[0], r) for r in rows)
    first = list(heads[0].parameters())
    same_heads = all(
        torch.allclose(p, q) for head in heads for p, q in zip(first, head.parameters())
    )
    return same_rows and same_heads
