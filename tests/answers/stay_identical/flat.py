# right
import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.detach().unflatten(1, (len(heads), -1))
    flat = [
        torch.cat(
            [p.detach().flatten() for _, p in sorted(h.named_parameters())]
            + [blocks[:, i].flatten()]
        )
        for i, h in enumerate(heads)
    ]
    return all((f - flat[0]).abs().max().item() < 1e-5 for f in flat)
