# wrong: one entry per name, so a part that runs twice is listed once
# named: twice_is_once


def trace_shapes(module, x):
    shapes, handles = {}, []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes[name] = tuple(o.shape)

        return hook

    try:
        for name, part in module.named_modules():
            handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return list(shapes.items())
