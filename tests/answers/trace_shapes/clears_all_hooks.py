# wrong: clears the hooks of others too
# named: removes_others
def trace_shapes(module, x):
    shapes = []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        part.register_forward_hook(hook_for(name))
    try:
        module(x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()
    return shapes
