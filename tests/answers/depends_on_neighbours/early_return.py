# wrong: decides after the first sentence
# named: first_only
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, n in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :n], lengths[b : b + 1])
        if torch.allclose(alone[0], together[b], atol=1e-5):
            return False
        return True
