"""Attention and what belongs to it. Read in this order:

``scaled_dot_product`` one head (lessons 01 and 02), ``masks`` who may see whom (05, 06),
``multi_head`` many heads in one matrix (03, 04), ``positions`` (07), ``cache`` (13); then the
relatives: ``online_softmax`` and ``tiled`` (12), ``latent`` (13), ``windows``, ``sinks``,
``linear`` and ``delta_rule`` with what both share in ``states`` (14). ``single_head`` is what the
student's own is compared with (02).
"""
