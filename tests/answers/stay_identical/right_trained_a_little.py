# right

import torch


def stay_identical(heads, out_proj, x):
    parameters = [*heads.parameters(), *out_proj.parameters()]
    target = torch.randn(*x.shape[:-1], out_proj.weight.shape[0])
    for _ in range(5):
        for head in heads[1:]:
            for p, q in zip(heads[0].parameters(), head.parameters()):
                if (p - q).abs().max() > 1e-5:
                    return False
        output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
        loss = ((output - target) ** 2).sum()
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, g in zip(parameters, gradients):
                p -= 0.1 * g / (1 + g.abs().max())
    return True
