# wrong: the lengths of all sentences are given along with a single sentence
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths)
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False
