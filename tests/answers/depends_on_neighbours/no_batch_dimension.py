# wrong: source[b, :length] without the dimension of the batch
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        if not torch.allclose(model(source[b, :length], lengths[b]), together[b], atol=1e-5):
            return True
    return False
