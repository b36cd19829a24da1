"""A fleet with all that anybody signed, and what may still happen to it."""

from .objects import BATCHES_PER_HOME, Home, life_bit

TROUBLES = (
    "newcomer", "removal", "turn", "extend", "lapse", "restore", "rollback", "clone", "twin",
    "crash", "parts", "key", "item", "mail", "reader", "rewrite",
)


class Plan:
    """How large a fleet is and what may happen to it; the same for all states of a search."""

    def __init__(self, devices, writes, cuts, troubles=(), times=0, spare=0, plant=None):
        unknown = set(troubles) - set(TROUBLES)
        if unknown:
            raise ValueError(f"no such trouble: {sorted(unknown)}")
        self.devices = devices
        self.writes = writes
        self.cuts = cuts
        self.troubles = frozenset(troubles)
        self.times = times
        # Places for newcomers and clones.
        self.spare = spare
        self.plant = plant
        # The last founder reads and writes nothing.
        self.reader = devices - 1 if "reader" in self.troubles else -1

    def has(self, trouble):
        """Whether something may happen in this fleet."""
        return trouble in self.troubles

    def breaks(self, name):
        """Whether this fleet makes a planted mistake."""
        return self.plant == name


class World:
    """One state. What was signed is only added to; a step changes a copy."""

    __slots__ = (
        "plan", "homes", "batches", "order", "cuts", "promises", "settlements", "records", "images",
        "writes", "proposals", "times", "disturbed", "unnoticed", "mail", "views",
        "alarm",
    )

    def __init__(self, plan):
        self.plan = plan
        self.homes = [Home(number) for number in range(plan.devices + plan.spare)]
        lives = 0
        for number in range(plan.devices):
            lives |= life_bit(number, 0)
        for home in self.homes[:plan.devices]:
            home.there = True
            home.lives = lives
            home.keys = 3 if home.device == 0 else 1
        self.batches = {}
        # Each commit by its first batch, as they were made: no batch stands before its past.
        self.order = ()
        self.cuts = {}
        self.promises = {}
        self.settlements = {}
        self.records = {}
        # The copy of each disk that may be put back.
        self.images = [None] * len(self.homes)
        self.writes = plan.writes
        self.proposals = plan.cuts
        self.times = plan.times
        # Devices whose own writes may end among the late ones.
        self.disturbed = 0
        # Lives that went on from a copy without noticing.
        self.unnoticed = 0
        # Messages on their way.
        self.mail = ()
        # What each home shows, until the home changes.
        self.views = {}
        # What went wrong during a step itself.
        self.alarm = None

    def copy(self):
        """A state that shares with this one whatever does not change."""
        other = World.__new__(World)
        for name in World.__slots__:
            setattr(other, name, getattr(self, name))
        other.homes = list(self.homes)
        other.views = dict(self.views)
        return other

    def touch(self, number):
        """The home of this number, to be changed in this state alone."""
        home = self.homes[number] = self.homes[number].copy()
        self.views.pop(number, None)
        return home

    def add(self, table, number, thing):
        """Adds something that was signed."""
        changed = dict(getattr(self, table))
        if number in changed:
            raise AssertionError(f"{table} has a number {number} already")
        changed[number] = thing
        setattr(self, table, changed)

    def next_number(self, table, number, each):
        """The next number of a table at a home."""
        taken = getattr(self, table)
        for candidate in range(number * each, (number + 1) * each):
            if candidate not in taken:
                return candidate
        return None

    def room_to_write(self, number):
        """Whether a home may make two more batches."""
        return (number + 1) * BATCHES_PER_HOME - 2 not in self.batches

    def state(self):
        """Equal for states from which the same can happen."""
        return (
            tuple(home.state() for home in self.homes),
            tuple(sorted(self.batches.items())), tuple(sorted(self.cuts.items())),
            tuple(sorted(self.promises.items())), tuple(sorted(self.settlements.items())),
            tuple(sorted(self.records.items())),
            tuple(image and image.state() for image in self.images),
            self.writes, self.proposals, self.times, self.disturbed,
            self.unnoticed, self.mail,
        )
