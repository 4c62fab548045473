# right
import torch


def grouped_attend(query, key, value):
    """Group by group: chunks of query heads with one key head each."""
    outputs = []
    for i, asks in enumerate(query.chunk(key.shape[1], dim=1)):
        scores = asks @ key[:, i : i + 1].mT / asks.shape[-1] ** 0.5
        exponentials = (scores - scores.amax(-1, keepdim=True)).exp()
        mixed = exponentials @ value[:, i : i + 1]
        outputs.append(mixed / exponentials.sum(-1, keepdim=True))
    return torch.cat(outputs, dim=1)
