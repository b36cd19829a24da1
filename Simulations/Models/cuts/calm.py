"""I6: when nothing more goes wrong, the next cut is settled and folded by everybody."""

from . import acting, folding
from .checks import inside, is_split, name, names, present
from .judge import members
from .meeting import begin_life
from .objects import bits
from .together import is_whole, lateness, meet_all
from .troubles import can_come_back, come_back
from .views import look


def stall(world):
    """Why a calm fleet does not fold, if so. The state is changed by it."""
    world.times = 0
    world.mail = ()
    settle_down(world)
    a_day_later(world)
    if is_split(world):
        return None
    holders = voters_awake(world)
    if not holders:
        return None
    if all(world.homes[n].fresh for n in holders):
        # Where nobody remembers, a person decides.
        return None
    # A lapsed device does not hold the floor, so nobody waits for one to return.
    for returns in (False, True):
        if returns:
            let_return(world)
            settle_down(world)
        found = next_cut(world)
        if found or is_split(world):
            return None if is_split(world) else found
    return None


def a_day_later(world):
    """Where the newest life of a device is nowhere any more, one of its homes begins another.

    It does so once a day; else two copies in use would take turns for ever.
    """
    for number in inside(world):
        device = world.homes[number].device
        of_device = [n for n in present(world) if world.homes[n].device == device]
        if acting.acts(world, number) and not any(has_newest_life(world, n) for n in of_device):
            begin_life(world, number, forgot=True)
            meet_all(world)


def next_cut(world):
    """All write, and propose in turn until a cut is folded by everybody."""
    written = []
    for number in voters_awake(world):
        if world.room_to_write(number):
            acting.write(world, number)
            written.append(world.order[-1])
    settle_down(world)
    # Homes that noticed only now that they go on twice may all be fresh.
    holders = voters_awake(world)
    if is_split(world) or all(world.homes[n].fresh for n in holders):
        return None
    for number in written:
        if look(world, holders[0]).late >> number & 1:
            return f"I6: {name(world, number)} of a calm fleet is late"
    found = None
    for one in holders + holders:
        found = propose_and_fold(world, one)
        if is_split(world):
            return None
        if found is None:
            break
    return found or at_end(world)


def propose_and_fold(world, one):
    """Whether everybody who has not lapsed folds a cut of this home."""
    cut = world.next_number("cuts", one, acting.CUTS_PER_HOME)
    acting.propose(world, one)
    settle_down(world)
    shows = world.cuts[cut].shows
    for number in awake(world):
        if shows & ~world.homes[number].base:
            return (f"I6: home {number} does not fold a cut of home {one} in a calm fleet; it has "
                    f"undecided {names(world, look(world, number).undecided)}")
    return None


def awake(world):
    """Whoever did not lapse."""
    return [
        number for number in inside(world)
        if not members(world, world.homes[number].records)[1] >> world.homes[number].device & 1]


def at_end(world):
    """Whether every batch is shown, late, passed over, or lacks what nobody has."""
    for number in awake(world):
        view = look(world, number)
        for place in bits(view.undecided | view.waiting):
            if is_whole(world, number, place):
                return f"I2: home {number} neither shows nor tells {name(world, place)} at the end"
    return lateness(world, inside(world))


def voters_awake(world):
    """The homes that may write and have the newest life of their device."""
    return [n for n in inside(world) if acting.acts(world, n) and has_newest_life(world, n)]


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
                if acting.can_give_up(world, number, cut):
                    acting.give_up(world, number, cut)
        meet_all(world)
        for number, home in enumerate(world.homes):
            if not home.there:
                continue
            for cut in sorted(
                    bits(world.homes[number].cuts),
                    key=lambda each: bin(world.cuts[each].shows).count("1")):
                if folding.can_fold(world, number, cut):
                    folding.fold(world, number, cut)
        if [home.state() for home in world.homes] == before:
            return

