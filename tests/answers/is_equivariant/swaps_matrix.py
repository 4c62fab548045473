# right

import torch


def is_equivariant(layer, x):
    """Adjacent swaps generate all permutations; check each of them on x and on further inputs."""
    g = torch.Generator().manual_seed(3)
    n = x.shape[0]
    inputs = [x] + [torch.randn(x.shape, generator=g, dtype=torch.float32).to(x) for _ in range(3)]
    perms = [torch.randperm(n, generator=g) for _ in range(12)]
    for i in range(n - 1):
        p = torch.arange(n)
        p[i], p[i + 1] = i + 1, i
        perms.append(p)
    for z in inputs:
        y = layer(z.clone())
        for p in perms:
            if not torch.allclose(layer(z[p]), y[p], atol=1e-4):
                return False
    return True
