# wrong: the padding is set to zero in the source itself
# named: other_padding | changes_input
import torch


def depends_on_neighbours(model, source, lengths):
    before = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        source[b, length:] = 0
    return not torch.allclose(model(source, lengths), before, atol=1e-5)
