# wrong: all tokens are normalised with mean and variance of the first one
# named: first_token_for_all
import torch


def layer_norm(x, weight, bias, eps):
    first = x.reshape(-1, x.shape[-1])[0]
    return (x - first.mean()) / torch.sqrt(first.var(correction=0) + eps) * weight + bias
