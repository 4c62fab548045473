# wrong: cuts one token too early
# named: always_depends
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        n = max(length - 1, 1)
        alone = model(source[b : b + 1, :n], torch.tensor([n]))
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False
