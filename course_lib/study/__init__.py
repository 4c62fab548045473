"""What trained heads do: ``heads`` scores them, ``ablation`` removes them, ``patching`` gives them
what they say elsewhere, and ``circuits`` joins them.

Lessons 10 and 11. ``examine`` tests any attention layer, whoever wrote it, and ``peak_memory``
measures what a computation holds at once (12).
"""
