# wrong: output.sum() as the loss, which sees only the column sums of the blocks
# named: sum_as_loss

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    output.sum().backward()
    first = list(heads[0].parameters())
    return all(
        torch.allclose(p, q, atol=1e-5) and torch.allclose(p.grad, q.grad, atol=1e-5)
        for head in heads
        for p, q in zip(first, head.parameters())
    )
