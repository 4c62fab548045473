# right

import torch


def stay_identical(heads, out_proj, x):
    output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
    (output * torch.randn_like(output)).sum().backward()
    for head in heads[1:]:
        for p, q in zip(heads[0].parameters(), head.parameters()):
            if not torch.allclose(p, q, atol=1e-5):
                return False
            if not torch.allclose(p.grad, q.grad, atol=1e-5):
                return False
    return True
