# wrong: spreads the speeds up to 1/10000 as TensorFlow's tensor2tensor does (divides by d/2 - 1)
# named: from_0_to_1
import math

import torch


def sinusoidal_positions(length, d_model):
    n = d_model // 2
    step = math.log(10000.0) / max(n - 1, 1)
    speeds = torch.exp(torch.arange(n, dtype=torch.float32) * -step)
    angles = torch.arange(length, dtype=torch.float32)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
