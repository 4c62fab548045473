# wrong: hooks only parts without children
# named: innermost_only


def trace_shapes(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            shapes.append((name, tuple((o[0] if isinstance(o, tuple) else o).shape)))

        return hook

    try:
        for name, part in module.named_modules():
            if not list(part.children()):
                handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes
