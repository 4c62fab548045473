# wrong: the hook looks the loop variable up when called, so all lines have the last name
# named: last_name


def trace_shapes(module, x):
    out, handles = [], []
    for name, part in module.named_modules():
        handles.append(
            part.register_forward_hook(
                lambda m, i, o: out.append(
                    (name, tuple((o[0] if isinstance(o, tuple) else o).shape))
                )
            )
        )
    try:
        module(x)
    finally:
        for h in handles:
            h.remove()
    return out
