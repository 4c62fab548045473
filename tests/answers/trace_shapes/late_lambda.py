# wrong: the lambda in the loop finds the last name every time
# named: last_name


def trace_shapes(module, x):
    shapes, handles = [], []
    first = lambda o: o[0] if isinstance(o, tuple) else o
    try:
        for name, part in module.named_modules():
            handles.append(
                part.register_forward_hook(
                    lambda m, i, o: shapes.append((name, tuple(first(o).shape)))
                )
            )
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes
