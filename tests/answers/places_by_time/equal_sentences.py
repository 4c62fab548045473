# wrong: compares equal sentences inside one batch, never a sentence alone
# named: within_one_batch
import torch


def places_by_time(add_positions, x):
    y = add_positions(x[:1, :1].expand(*x.shape))
    gaps = (y[0][:, None] - y[0]).abs().amax(dim=-1) + torch.eye(x.shape[1])
    return bool((gaps > 1e-6).all()) and torch.allclose(y, y[:1].expand(y.shape), atol=1e-5)
