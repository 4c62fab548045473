# right
import torch


def places_by_time(add_positions, x):
    batch, length, _ = x.shape
    placed = add_positions(x[:1, :1].expand(1, length, -1))[0]
    alike = torch.isclose(placed[:, None], placed[None], rtol=0, atol=1e-6).all(dim=-1)
    if alike.sum() != length:
        return False
    together = add_positions(x)
    for b in range(batch):
        if not torch.allclose(add_positions(x[b : b + 1]), together[b : b + 1], atol=1e-5):
            return False
    return True
