# wrong: only pads further with zeros
# named: more_padding
import torch
import torch.nn.functional as F


def depends_on_neighbours(model, source, lengths):
    longer = F.pad(source, (0, 0, 0, 3))
    return not torch.allclose(model(longer, lengths), model(source, lengths), atol=1e-5)
