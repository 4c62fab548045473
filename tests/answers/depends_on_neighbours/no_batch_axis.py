# wrong: hands over a sentence without its batch dimension
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, n in enumerate(lengths.tolist()):
        alone = model(source[b, :n], lengths[b])
        if not torch.allclose(alone, together[b], atol=1e-5):
            return True
    return False
