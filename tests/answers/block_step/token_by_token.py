# wrong: the sublayer gets one token at a time, so attention sees nothing else
# named: token_by_token
import torch


def block_step(x, sublayer, norm, norm_first):
    def each(y):
        return torch.cat([sublayer(y[..., t : t + 1, :]) for t in range(y.shape[-2])], dim=-2)

    if norm_first:
        return x + each(norm(x))
    return norm(x + each(x))
