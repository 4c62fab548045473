"""What lessons compute with: ``tasks`` to train on, ``small_example``, ``passages`` of text.

``training`` fits a model to a task; ``checkpoints`` holds small trained models, ``recorded`` the
tables of experiments that take too long for a lesson; ``real_model`` is SmolLM2, which ``download``
fetches (16).
"""
