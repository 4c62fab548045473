# wrong: calls module.forward, which runs no hook of the module itself
# named: whole_missing
def trace_shapes(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module.forward(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
