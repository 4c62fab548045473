# right
import torch


def running_softmax(scores):
    """Doubling steps, as a GPU scans: pairs (maximum, total) are merged at growing distances."""
    maximum, total = scores.clone(), torch.ones_like(scores)
    step = 1
    while step < len(scores):
        m = torch.cat((scores.new_full((step,), -torch.inf), maximum[:-step]))
        t = torch.cat((scores.new_zeros(step), total[:-step]))
        new = torch.maximum(m, maximum)
        total = t * (m - new).exp() + total * (maximum - new).exp()
        maximum, step = new, 2 * step
    return maximum, total
