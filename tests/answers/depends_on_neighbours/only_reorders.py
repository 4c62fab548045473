# wrong: the batch is only put in another order
# named: shuffled
import torch


def depends_on_neighbours(model, source, lengths):
    turned = model(source.flip(0), lengths.flip(0)).flip(0)
    return not torch.allclose(turned, model(source, lengths), atol=1e-5)
