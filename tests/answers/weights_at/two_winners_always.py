# wrong: shares between the two largest scores whether they tie or not

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = torch.zeros_like(scores)
        return best.scatter(-1, scores.topk(min(2, scores.shape[-1]), dim=-1).indices, 0.5)
    return torch.softmax(scores / temperature, dim=-1)
