# right

import torch


def rows_are_queries(attend, x, memory):
    g = torch.Generator().manual_seed(5)
    before = attend(x.clone(), memory.clone())[1]
    row = col = 0
    for t in range(len(x)):
        for _ in range(3):
            z = x.clone()
            z[t] = torch.randn(x.shape[1:], generator=g)
            moved = (attend(z, memory.clone())[1] - before).abs() > 1e-6
            if moved.any():
                rows, cols = (
                    moved.any(1).nonzero().flatten().tolist(),
                    moved.any(0).nonzero().flatten().tolist(),
                )
                row += rows == [t]
                col += cols == [t]
    return row > col
