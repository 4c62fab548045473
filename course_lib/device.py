"""Where to compute: the GPU when there is one."""

import torch


def best_device() -> torch.device:
    """Return the CUDA device when this machine has one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
