# wrong: each answer is compared with row 0 of the batch
# named: always_depends
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[0], atol=1e-5):
            return True
    return False
