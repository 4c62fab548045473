# wrong: relu instead of SiLU
# named: relu


def swiglu(x, gate, up, down):
    return ((x @ gate.T).clamp(min=0) * (x @ up.T)) @ down.T
