# wrong: calls torch's layer_norm
# named: layer_norm
import torch.nn.functional as F


def rms_norm(x, weight, eps):
    return F.layer_norm(x, x.shape[-1:], weight, None, eps)
