# wrong: skips the sentences with padding
# named: first_only
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        if length < source.shape[1]:
            continue
        alone = model(source[b : b + 1], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False
