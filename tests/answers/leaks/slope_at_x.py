# wrong: asks the derivative, which is 0 for a leak in steps
# named: nan_passes
import torch


def leaks(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)
    return any(bool(slopes[i, :, i + 1 :].abs().max() > 1e-5) for i in range(len(x) - 1))
