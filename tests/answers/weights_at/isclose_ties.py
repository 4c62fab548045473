# wrong: scores that nearly tie count as equal at temperature 0
# named: near_ties
import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = torch.isclose(scores, scores.amax(dim=-1, keepdim=True), atol=1e-3).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)
