# wrong: keeps the last part of a dotted name
# named: last_part_of_name
def trace_shapes(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name.split(".")[-1], tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
