# wrong: looks at the shortest sentence only
# named: shortest_only
import torch


def depends_on_neighbours(model, source, lengths):
    b = int(lengths.argmin())
    alone = model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])
    return not torch.allclose(alone[0], model(source, lengths)[b], atol=1e-5)
