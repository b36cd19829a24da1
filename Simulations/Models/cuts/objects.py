"""The things that devices sign, and the home that one device has.

Sets are whole numbers: bit i of a set of batches stands for batch i. A number says where a thing
was made and as the how manieth, so that it does not depend on the order in which devices acted.
"""

from collections import namedtuple

BATCHES_PER_HOME = 16
CUTS_PER_HOME = 16
PROMISES_PER_HOME = 24
SETTLEMENTS_PER_HOME = 8
RECORDS_PER_HOME = 12
LIVES = 16

# One batch of a commit. `commit` is the set of its batches, `past` all that its author had applied
# or passed over, `said` the part of the past that the batch itself names: what came since the batch
# before it in its chain. `aware` is True when the floor that the author names had closed the item.
Batch = namedtuple("Batch", "commit device life seq before past said kind again key aware")

# `shows` is V: all batches at or below it. `voters` is a set of lives.
Cut = namedtuple("Cut", "proposer shows records voters remembers")

# `lists` is all that its author had applied, `closed` whether its floor had closed the item.
Promise = namedtuple("Promise", "cut life lists records fresh closed remembers")

# Which promises count for a cut, by the word of its proposer.
Settlement = namedtuple("Settlement", "cut promises")

# A membership record: `kind` is add, remove, turn, extend, lapse or back; `frontier` the batches of
# the target that count, and `of` the removal that a turn ends.
Record = namedtuple("Record", "kind target frontier of")


def bits(number):
    """The members of a set, the smallest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def life_bit(device, life):
    """The set that holds one life of a device alone."""
    return 1 << (device * LIVES + life)


def lives_of(device):
    """All lives that a device may have."""
    return ((1 << LIVES) - 1) << (device * LIVES)


class Home:
    """All that lies on one disk. Nothing here is lost in a crash but what a mistake puts there."""

    __slots__ = (
        "there", "device", "life", "held", "base", "floor", "closed", "dropped", "evidence",
        "effect", "shown_at_fold", "sweep", "cuts", "promises", "settlements", "records", "lives",
        "bound", "fresh", "keys", "own", "last", "said", "put", "jumps", "heard",
        "remembers", "gone",
    )

    def __init__(self, device):
        self.there = False
        self.device = device
        self.life = 0
        # Batches that it can hand on, and those that are folded, or came with a snapshot.
        self.held = 0
        self.base = 0
        # The cut that it folded last, or -1.
        self.floor = -1
        # Whether the item is closed at its floor, and whether all about the item is gone.
        self.closed = False
        self.dropped = False
        # The folded batches of which identifier and known vector are kept.
        self.evidence = 0
        # The folded batches that had effect.
        self.effect = 0
        self.shown_at_fold = 0
        # Folded batches that are still to be deleted.
        self.sweep = 0
        self.cuts = 0
        self.promises = 0
        self.settlements = 0
        self.records = 0
        self.lives = 0
        # Cuts that it promised, or that whoever let it in had promised.
        self.bound = 0
        # Its life began with a copy, and has folded nothing together with others yet.
        self.fresh = False
        self.keys = 1
        # What this disk acknowledged to its person.
        self.own = 0
        # Its last batch of this life, or -1; the promises and cuts that it remembers to have made.
        self.last = -1
        self.said = 0
        self.put = 0
        # How often it began a new life since it heard of one.
        self.jumps = 0
        # What each home was last heard to hold, for a mistake that believes it.
        self.heard = ()
        # The lives of its device of which it has forgotten nothing, its own among them.
        self.remembers = life_bit(device, 0)
        # Cuts that their proposer gave up.
        self.gone = 0

    def copy(self):
        """A home that can be changed without this one."""
        other = Home.__new__(Home)
        for name in Home.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def state(self):
        """All of it as one value."""
        return tuple(getattr(self, name) for name in Home.__slots__)
