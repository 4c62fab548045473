# right
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for row, sentence, length in zip(together, source.split(1), lengths.split(1), strict=True):
        (alone,) = model(sentence.narrow(1, 0, int(length)), length)
        if not torch.isclose(alone, row, atol=1e-5).all():
            return True
    return False
