# right

import torch


def softmax_jacobian(weights):
    # p_i = e_i / Z with e = p and Z = 1: (e_i delta_ij Z - e_i e_j) / Z^2
    z = weights.double().sum()
    e = weights.double()
    return ((torch.diag(e) * z - e[:, None] * e[None, :]) / z**2).to(weights.dtype)
