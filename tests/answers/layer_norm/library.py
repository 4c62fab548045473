# wrong: calls torch's own
# named: closed
import torch.nn.functional as F


def layer_norm(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)
