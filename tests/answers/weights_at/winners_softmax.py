# right
import torch


def weights_at(scores, temperature):
    if temperature == 0:
        return scores.masked_fill(scores < scores.amax(-1, keepdim=True), -torch.inf).softmax(-1)
    return scores.div(temperature).softmax(-1)
