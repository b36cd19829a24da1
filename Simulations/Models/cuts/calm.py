"""I6: when nothing more goes wrong, the next cut is settled and folded by everybody."""

from . import acting
from .checks import inside, is_split, lateness, meet_all, name, names, on_one_disk_of
from .judge import members
from .objects import bits
from .troubles import can_come_back, come_back
from .views import look


def stall(world):
    """Why a calm fleet does not fold, if so. The state is changed by it."""
    world.times = 0
    world.mail = ()
    settle_down(world)
    if is_split(world):
        return None
    holders = voters_awake(world)
    if not holders:
        return None
    if all(world.homes[n].fresh for n in holders):
        # Where nobody remembers, a person decides.
        return None
    one = min(n for n in holders if not world.homes[n].fresh)
    # A lapsed device does not hold the floor, so nobody waits for one to return.
    for returns in (False, True):
        if returns:
            let_return(world)
            settle_down(world)
        found = next_cut(world, one)
        if found or is_split(world):
            return None if is_split(world) else found
    return None


def next_cut(world, one):
    """One device writes and proposes; everybody else is awake."""
    world.writes += 1
    world.proposals += 1
    if not world.room_to_write(one):
        return None
    written = []
    for number in voters_awake(world):
        if world.room_to_write(number):
            acting.write(world, number)
            written.append(world.order[-1])
    meet_all(world)
    before = set(world.cuts)
    acting.propose(world, one)
    cut = next(number for number in world.cuts if number not in before)
    settle_down(world)
    if is_split(world):
        return None
    for number in written:
        if look(world, one).late >> number & 1:
            return f"I6: {name(world, number)} of a calm fleet is late"
    # Whoever lapsed is asked nothing until it is let back.
    for number in inside(world):
        home = world.homes[number]
        if members(world, home.records)[1] >> home.device & 1:
            continue
        view = look(world, number)
        if home.base & world.cuts[cut].shows != world.cuts[cut].shows:
            return (f"I6: home {number} does not fold a cut of home {one} in a calm fleet; it has "
                    f"undecided {names(world, view.undecided)}")
        both = view.undecided | view.waiting
        for place in bits(both):
            if is_whole(world, number, place):
                return f"I2: home {number} neither shows nor tells {name(world, place)} at the end"
    return lateness(world, inside(world))


def voters_awake(world):
    """The homes that may write and have the newest life of their device."""
    return [n for n in inside(world) if acting.acts(world, n) and has_newest_life(world, n)]


def is_whole(world, number, place):
    """Whether all that a batch needs is there and counts."""
    home = world.homes[number]
    view = look(world, number)
    batch = world.batches[place]
    has = home.held | home.base
    return not (batch.past | batch.commit) & ~has and not batch.past & view.waiting


def has_newest_life(world, number):
    """Whether a home may vote: no later life of its device is known to it."""
    home = world.homes[number]
    own = acting.own_life(world, number)
    return not home.lives & acting.lives_of(home.device) & ~(own | own - 1)


def let_return(world):
    """All who lapsed are let back."""
    for one in inside(world):
        for other in inside(world):
            if one != other and can_come_back(world, one, other):
                come_back(world, one, other)


def settle_down(world):
    """Everybody does what it can, until nothing changes."""
    for _ in range(30):
        before = [home.state() for home in world.homes]
        meet_all(world)
        for number, home in enumerate(world.homes):
            if not home.there:
                continue
            for cut in bits(world.homes[number].cuts):
                if acting.can_promise(world, number, cut):
                    acting.promise(world, number, cut)
                if acting.can_settle(world, number, cut):
                    acting.settle(world, number, cut)
        meet_all(world)
        for number, home in enumerate(world.homes):
            if not home.there:
                continue
            for cut in sorted(
                    bits(world.homes[number].cuts),
                    key=lambda each: bin(world.cuts[each].shows).count("1")):
                if acting.can_fold(world, number, cut):
                    acting.fold(world, number, cut)
        if [home.state() for home in world.homes] == before:
            return


__all__ = ["on_one_disk_of"]
