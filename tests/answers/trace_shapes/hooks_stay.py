# wrong: never removes the hooks
# named: hooks_left
def trace_shapes(module, x):
    shapes = []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        part.register_forward_hook(hook_for(name))
    module(x)
    return shapes
