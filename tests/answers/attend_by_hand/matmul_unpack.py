# right
import torch


def attend_by_hand(query, keys, values):
    t = lambda a: torch.tensor(a, dtype=torch.float64)
    w = torch.nn.functional.softmax(torch.einsum("d,td->t", t(query), t(keys)), dim=-1)
    return torch.einsum("t,tv->v", w, t(values)).tolist(), w.tolist()
