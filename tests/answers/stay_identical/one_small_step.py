# wrong: takes one step of 1e-6 and compares loosely, so nothing has moved yet
# named: heads_only

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    output.square().mean().backward()
    with torch.no_grad():
        for p in heads.parameters():
            p -= 1e-6 * p.grad
    return all(
        torch.allclose(p, q, atol=1e-5)
        for head in heads
        for p, q in zip(heads[0].parameters(), head.parameters())
    )
