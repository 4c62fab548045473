"""What trained heads do: ``heads`` scores them, ``head_outputs`` reads and replaces what they hand
on, ``ablation`` and ``patching`` do so in whole models, and ``circuits`` joins them.

Lessons 10 and 11. ``examine`` tests any attention layer, whoever wrote it, and ``peak_memory``
measures what a computation holds at once (12).
"""
