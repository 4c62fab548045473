# wrong: works in float32 and returns that whatever the dtype of the scores
# named: dtype

import torch


def stable_softmax(scores):
    scores = scores.to(torch.float32)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)
