# wrong: asks the course's module for the positions of zeros
# named: closed
import torch

from course_lib import SinusoidalPositions


def sinusoidal_positions(length, d_model):
    return SinusoidalPositions(d_model)(torch.zeros(1, length, d_model))[0]
