# wrong: rot90, a quarter turn, instead of a transpose
# named: mirrored
import torch


def unpack_gpt2(weight):
    return tuple(torch.rot90(part) for part in weight.chunk(3, dim=1))
