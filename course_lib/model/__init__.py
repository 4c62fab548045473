"""Models made of attention: ``block`` (lesson 08), ``language_model``, ``encoder_decoder`` (09).

``feed_forward`` is the other half of a block; ``conversion`` copies weights from and to torch's
modules, ``pretrained`` makes a model of weights that others trained.
"""
