# right

import torch


def softmax_jacobian(weights):
    # the covariance of a one-hot draw: sum of p_k (e_k - p)(e_k - p)^T
    centred = torch.eye(len(weights), dtype=weights.dtype) - weights
    return (centred.T * weights) @ centred
