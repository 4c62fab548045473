# wrong: measures the gradients at an input of zeros, where all are zero
# named: heads_only

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(torch.zeros_like(x))[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = list(heads[0].parameters())
    return all(
        torch.allclose(p, q, atol=1e-5) and torch.allclose(p.grad, q.grad, atol=1e-5)
        for head in heads
        for p, q in zip(first, head.parameters())
    )
