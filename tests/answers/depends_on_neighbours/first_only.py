# wrong: looks at sentence 0 only
# named: first_only

import torch


def depends_on_neighbours(model, source, lengths):
    y = model(source, lengths)
    n = int(lengths[0])
    return not torch.allclose(model(source[:1, :n], lengths[:1])[0], y[0], atol=1e-5)
