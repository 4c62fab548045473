# right
import torch


def stay_identical(heads, out_proj, x):
    for h in heads:
        for a, b in zip(heads[0].parameters(), h.parameters()):
            if not torch.allclose(a, b, atol=1e-6):
                return False
    heads.zero_grad()
    out = out_proj(torch.cat([h(x)[0] for h in heads], dim=-1))
    (out * torch.randn_like(out)).sum().backward()
    grads = [torch.cat([p.grad.flatten() for p in h.parameters()]) for h in heads]
    size = grads[0].abs().max()
    return all(bool((g - grads[0]).abs().max() <= 1e-4 * size + 1e-6) for g in grads)
