# wrong: a larger score throws the total away
# named: restarted
import torch


def running_softmax(scores):
    maximum, total = float("-inf"), 0.0
    out = []
    for s in scores.tolist():
        if s > maximum:
            maximum, total = s, 1.0
        else:
            total += torch.exp(torch.tensor(s - maximum)).item()
        out.append((maximum, total))
    out = torch.tensor(out)
    return out[:, 0], out[:, 1]
