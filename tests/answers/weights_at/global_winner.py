# wrong: at 0 only the largest score of the whole tensor counts, other rows get 0 / 0
# named: ties_of_whole_tensor
import torch


def weights_at(scores, temperature):
    if temperature > 0:
        return torch.softmax(scores / temperature, dim=-1)
    best = (scores == scores.max()).to(scores.dtype)
    return best / best.sum(dim=-1, keepdim=True)
