# wrong: takes the sentence alone but leaves its padding
# named: keeps_padding
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b in range(len(source)):
        alone = model(source[b : b + 1], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False
