# wrong: gives the class of a part for its name
# named: class_names
def trace_shapes(module, x):
    shapes = []

    def hook(part, inputs, output):
        output = output[0] if isinstance(output, tuple) else output
        shapes.append((type(part).__name__, tuple(output.shape)))

    handles = [part.register_forward_hook(hook) for part in module.modules()]
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
