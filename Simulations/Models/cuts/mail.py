"""Messages that come late, in part, twice, or never."""

from .meeting import bring, hear, words
from .objects import bits


def post(world, one, other, count):
    """A message that is on its way: what was signed, and a part of the batches."""
    home = world.homes[one]
    some = 0
    sent = [b for first in world.order for b in bits(world.batches[first].commit & home.held)]
    for batch in sent[:count]:
        some |= 1 << batch
    world.mail += ((one, other, words(home), some, is_folded_state(home)),)


def is_folded_state(home):
    """What a snapshot sent along holds."""
    return (home.base, home.floor, home.closed, home.dropped, home.evidence, home.effect,
            home.shown_at_fold)


class Parcel:
    """The folded part of a message."""

    def __init__(self, values):
        (self.base, self.floor, self.closed, self.dropped, self.evidence, self.effect,
         self.shown_at_fold) = values


def deliver(world, place, keep):
    """A message comes, in whatever order, once or again."""
    one, other, said, some, folded = world.mail[place]
    if not keep:
        world.mail = world.mail[:place] + world.mail[place + 1:]
    if not world.homes[other].there:
        return
    if not world.plan.breaks("batches-first"):
        hear(world, other, said)
    bring(world, other, Parcel(folded), some)
