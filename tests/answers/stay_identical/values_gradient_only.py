# wrong: compares weights and gradients of v_proj only
# named: cancelling_signs

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    first = heads[0].v_proj.weight
    return all(
        torch.allclose(first, h.v_proj.weight, atol=1e-5)
        and torch.allclose(first.grad, h.v_proj.weight.grad, atol=1e-5)
        for h in heads
    )
