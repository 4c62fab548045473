# wrong: makes maps of its own
# named: varies
from torch import nn


def swiglu(x, gate, up, down):
    d_ff, d_model = gate.shape
    to_gate, to_up = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
    to_down = nn.Linear(d_ff, d_model)
    return to_down(nn.functional.silu(to_gate(x)) * to_up(x))
