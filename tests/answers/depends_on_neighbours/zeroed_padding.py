# wrong: only sets the padding to 0 and compares; the neighbours are never changed
# named: other_padding
import torch


def depends_on_neighbours(model, source, lengths):
    clean = source.clone()
    for b, n in enumerate(lengths.tolist()):
        clean[b, n:] = 0
    return not torch.allclose(model(clean, lengths), model(source, lengths), atol=1e-5)
