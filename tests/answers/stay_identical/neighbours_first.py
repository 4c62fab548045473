# wrong: looks at the first two heads and blocks only
# named: first_two_only
import torch


def stay_identical(heads, out_proj, x):
    a, b = heads[0], heads[1]
    c = out_proj.weight.chunk(len(heads), dim=1)
    return torch.allclose(c[0], c[1]) and all(
        torch.allclose(p, q) for p, q in zip(a.parameters(), b.parameters())
    )
