# wrong: removes the hooks only when no error happened
# named: hooks_left_after_error


def trace_shapes(module, x):
    out, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            out.append((name, tuple(o.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(make(name)))
    module(x)
    [h.remove() for h in handles]
    return out
