"""What homes bring each other: signed words before batches, a snapshot where batches are folded."""

from .judge import members
from .objects import LIVES, bits, life_bit, lives_of
from .views import look

MOST_JUMPS = 3


def words(home):
    """All that a home tells before it sends a batch."""
    return (home.cuts, home.promises, home.settlements, home.records, home.lives, home.gone)


def hear(world, number, said):
    """Takes what another home told."""
    cuts, promises, settlements, records, lives, gone = said
    home = world.homes[number]
    if not (
        cuts & ~home.cuts or promises & ~home.promises or settlements & ~home.settlements
        or records & ~home.records or lives & ~home.lives or gone & ~home.gone
    ):
        return
    home = world.touch(number)
    home.cuts |= cuts
    home.promises |= promises
    # What a mistake settles alone is for itself alone.
    for settlement in bits(settlements & ~home.settlements):
        if world.settlements[settlement].promises:
            home.settlements |= 1 << settlement
    home.records |= records
    home.lives |= lives
    home.gone |= gone
    notice(world, number)


def tell(world, one, other):
    """One home tells another all that was signed."""
    if is_out(world, one, other):
        hear(world, other, (0, 0, 0, world.homes[one].records, 0, 0))
        return
    hear(world, other, words(world.homes[one]))
    if world.plan.breaks("minimum-alone"):
        home = world.touch(other)
        heard = list(home.heard or [0] * len(world.homes))
        heard[one] = world.homes[one].held | world.homes[one].base
        home.heard = tuple(heard)


def is_out(world, one, other):
    """Whether one home knows that the other one's device was removed."""
    return world.homes[other].device in members(world, world.homes[one].records)[2]


def send(world, one, other, before=True):
    """A session: what was signed goes first, then batches, or a snapshot in their place."""
    if before:
        tell(world, one, other)
    if not is_out(world, one, other):
        bring(world, other, world.homes[one], world.homes[one].held)


def bring(world, number, source, batches):
    """Takes a snapshot, where what is missing is folded at its source, and batches."""
    home = world.homes[number]
    plan = world.plan
    if source.base & ~(home.held | home.base) and number >= 0:
        rises = not home.base & ~source.base
        known = source.floor in look(world, number).settled
        if (rises or plan.breaks("floor-falls")) and (known or plan.breaks("batches-first")):
            home = world.touch(number)
            install(home, source)
    new = batches & ~(home.held | home.base)
    if not new:
        return
    home = world.touch(number)
    for first in world.order:
        if not world.batches[first].commit & new:
            continue
        for batch in bits(world.batches[first].commit & new):
            before = world.batches[batch].before
            if before < 0 or (home.held | home.base) >> before & 1:
                home.held |= 1 << batch
    notice(world, number)


def install(home, source):
    """Swaps the base for that of a snapshot; what is not in it stays, and may be late."""
    home.base = source.base
    home.floor = source.floor
    home.closed = source.closed
    home.dropped = source.dropped
    home.evidence = source.evidence
    home.effect = source.effect
    home.shown_at_fold = source.shown_at_fold
    home.held &= ~source.base


def notice(world, number):
    """A home that meets words of its own life which it does not remember begins a new life."""
    home = world.homes[number]
    own = life_bit(home.device, home.life)
    strange = home.jumps < MOST_JUMPS and (home.lives & lives_of(home.device)) >= own << 1
    for promise in bits(home.promises & ~home.said):
        strange = strange or world.promises[promise].life == own
    for cut in bits(home.cuts & ~home.put):
        strange = strange or world.cuts[cut].proposer == own
    for batch in bits((home.held | home.base) & ~home.own):
        found = world.batches[batch]
        strange = strange or (found.device == home.device and found.life == home.life)
    if strange:
        begin_life(world, number, forgot=True)


def end_late_chain(world, number):
    """A chain ends with a batch that is late: what follows it there would be late for ever."""
    home = world.homes[number]
    view = look(world, number)
    if home.last >= 0 and (view.late >> home.last & 1) and not world.plan.breaks("chain-goes-on"):
        begin_life(world, number, forgot=False)


def begin_life(world, number, forgot):
    """A new life. One that began with a copy is fresh until it folds a cut with others."""
    home = world.touch(number)
    heard = (home.lives & lives_of(home.device)).bit_length() - 1 - home.device * LIVES
    known = max(home.life, heard)
    # A life is drawn at random: it is one that nobody ever had.
    known = max([known] + [other.life for other in world.homes if other.device == home.device])
    if known >= LIVES - 1:
        world.alarm = "a device ran out of lives"
        return
    home.life = known + 1
    home.jumps += 1
    home.fresh = home.fresh or forgot
    home.last = -1
    own = life_bit(home.device, home.life)
    home.lives |= own
    if not forgot:
        home.remembers |= own
        return
    # Nobody takes its word for that of its former lives, so their bonds would hold it for nothing.
    home.remembers = own
    if not world.plan.breaks("bonds-outlive"):
        home.bound = 0
