# wrong: a lambda in the loop, which finds the last name every time
# named: last_name
def trace_shapes(module, x):
    shapes, handles = [], []
    for name, part in module.named_modules():
        handles.append(
            part.register_forward_hook(
                lambda m, i, o: shapes.append(
                    (name, tuple((o[0] if type(o) is tuple else o).shape))
                )
            )
        )
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
