"""A small model of settled cuts: the protocol on which the folding of old batches is to stand.

A world is a handful of homes and all that anybody signed. Batches are nothing but a past, so that
their histories can be played by the hundred thousand, and every state can be judged.
"""
