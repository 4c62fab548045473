# wrong: written out for three weights
# named: three_only

import torch


def softmax_jacobian(weights):
    a, b, c = weights[0], weights[1], weights[2]
    rows = [[a * (1 - a), -a * b, -a * c], [-b * a, b * (1 - b), -b * c]]
    rows.append([-c * a, -c * b, c * (1 - c)])
    return torch.tensor(rows, dtype=weights.dtype)
