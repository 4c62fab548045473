# wrong: the hooks stay when the module stops with an error
# named: hooks_left_after_error


def trace_shapes(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(make(name)))
    module(x)
    for h in handles:
        h.remove()
    return shapes
