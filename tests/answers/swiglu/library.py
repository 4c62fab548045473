# wrong: calls the course's own network
# named: closed
from course_lib.feed_forward import FeedForward


def swiglu(x, gate, up, down):
    network = FeedForward(x.shape[-1], len(gate), activation="silu", gated=True, bias=False)
    network.gate_proj.weight.data = gate
    network.up_proj.weight.data = up
    network.down_proj.weight.data = down
    return network(x)
