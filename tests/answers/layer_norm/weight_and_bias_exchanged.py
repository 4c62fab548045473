# wrong: multiplies by the bias and adds the weight
# named: weight_bias_exchanged
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * bias + weight
