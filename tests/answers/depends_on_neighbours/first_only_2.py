# wrong: tests sentence 0 only
# named: first_only
import torch


def depends_on_neighbours(model, source, lengths):
    n = lengths[0]
    alone = model(source[:1, :n], lengths[:1])
    return not torch.allclose(alone[0], model(source, lengths)[0], atol=1e-5)
