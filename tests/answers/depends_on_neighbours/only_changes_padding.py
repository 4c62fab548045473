# wrong: only the padding is changed, the neighbours stay
# named: other_padding
import torch


def depends_on_neighbours(model, source, lengths):
    other = source.clone()
    for b, length in enumerate(lengths.tolist()):
        other[b, length:] = 5.0
    return not torch.allclose(model(other, lengths), model(source, lengths), atol=1e-5)
