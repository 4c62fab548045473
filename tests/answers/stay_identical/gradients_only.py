# wrong: compares gradients and forgets that the weights may already differ
import torch


def stay_identical(heads, out_proj, x):
    out = out_proj(torch.cat([h(x)[0] for h in heads], dim=-1))
    (out * torch.randn_like(out)).sum().backward()
    g = [h.v_proj.weight.grad for h in heads]
    return all(torch.allclose(g[0], other, atol=1e-5) for other in g)
