# wrong: the order of named_modules, not that in which they ended
# named: defined_order
def trace_shapes(module, x):
    shapes, handles = {}, []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes[name].append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        shapes[name] = []
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return [pair for pairs in shapes.values() for pair in pairs]
