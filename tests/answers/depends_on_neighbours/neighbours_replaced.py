# wrong: the neighbours are replaced, but the padding stays as it is
# named: other_neighbours
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b in range(len(source)):
        other = torch.randn_like(source)
        other[b] = source[b]
        if not torch.allclose(model(other, lengths)[b], together[b], atol=1e-5):
            return True
    return False
