# wrong: removes the hooks of others as well
# named: removes_others


def trace_shapes(module, x):
    shapes = []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    try:
        for name, part in module.named_modules():
            part.register_forward_hook(make(name))
        module(x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()
    return shapes
