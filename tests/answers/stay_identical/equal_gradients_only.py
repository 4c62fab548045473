# wrong: compares the gradients and never the weights
# named: gradients_only

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = [p.grad for p in heads[0].parameters()]
    return all(
        torch.allclose(g, p.grad, atol=1e-5)
        for head in heads
        for g, p in zip(first, head.parameters())
    )
