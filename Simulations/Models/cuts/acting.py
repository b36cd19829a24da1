"""What a home does by itself: writing, proposing, promising, settling and giving up."""

from .judge import is_enough, members, newest, voters
from .meeting import end_late_chain
from .objects import (
    BATCHES_PER_HOME, CUTS_PER_HOME, LIVES, PROMISES_PER_HOME, SETTLEMENTS_PER_HOME, Batch, Cut,
    Promise, Settlement, bits, life_bit, lives_of)
from .views import is_open, look, open_cuts


def acts(world, number):
    """Whether a home thinks that it may write and vote."""
    home = world.homes[number]
    if not home.there or home.device == world.plan.reader:
        return False
    active, lapsed, _ = members(world, home.records)
    return bool(active >> home.device & 1) and not lapsed >> home.device & 1


def own_life(world, number):
    """The life of a home as a set."""
    home = world.homes[number]
    return life_bit(home.device, home.life)


def write(world, number, kind="plain", again=-1, parts=1, key=1):
    """A commit of one or more parts; its past is all that shows, and that of its chain.

    What is passed over is left out: it may come to count later, and be late then. Not so what a
    cut holds that binds: that was shown, and the cut may be settled though a removal hides it now.
    """
    end_late_chain(world, number)
    view = look(world, number)
    home = world.touch(number)
    past = view.reach if world.plan.breaks("passed-named") else view.shown
    if not world.plan.breaks("bond-unnamed"):
        for cut in open_cuts(world, home, view):
            past |= world.cuts[cut].shows & (home.held | home.base)
    if home.last >= 0:
        past |= world.batches[home.last].past | 1 << home.last
    first = world.next_number("batches", number, BATCHES_PER_HOME)
    commit = ((1 << parts) - 1) << first
    before = home.last
    for batch in bits(commit):
        known = 0
        if before >= 0:
            known = world.batches[before].past | 1 << before
        seq = world.batches[before].seq + 1 if before >= 0 else 1
        world.add("batches", batch, Batch(
            commit, home.device, home.life, seq, before, past, past & ~known, kind, again, key,
            home.closed))
        before = batch
    home.held |= commit
    home.own |= commit
    home.last = before
    world.order += (first,)
    world.writes -= 1


def can_touch(world, number):
    """Whether a home may bring the item back: it is there, and not closed at its floor."""
    home = world.homes[number]
    return bool(look(world, number).shown & 1) and not home.closed and not home.dropped


def can_rewrite(world, number, batch):
    """Whether a home may say a late batch again: its device's own, or one of a removed device."""
    home = world.homes[number]
    view = look(world, number)
    late = world.batches[batch]
    if not (view.late >> batch & 1 and home.held >> batch & 1) or late.again >= 0:
        return False
    if any(world.batches[other].again == batch for other in bits(view.shown)):
        return False
    if late.device == home.device:
        return late.life != home.life
    return late.device in members(world, home.records)[2]


def proposal(world, number):
    """All that a cut of this home would hold."""
    home = world.homes[number]
    view = look(world, number)
    if world.plan.breaks("inside-commit"):
        return view.shown | home.held & ~(view.late | view.passed | view.undecided)
    return view.shown


def propose(world, number):
    """A cut at all that a home shows."""
    shows = proposal(world, number)
    home = world.touch(number)
    cut = world.next_number("cuts", number, CUTS_PER_HOME)
    world.add("cuts", cut, Cut(
        own_life(world, number), shows, home.records, voters(world, home.records, home.lives),
        home.remembers))
    home.cuts |= 1 << cut
    home.put |= 1 << cut
    world.proposals -= 1


def can_promise(world, number, cut):
    """Whether a home may say that it shows all of a cut."""
    home = world.homes[number]
    plan = world.plan
    view = look(world, number)
    if not acts(world, number) or home.gone >> cut & 1 or not is_open(world, view, cut):
        return False
    for place in bits(home.promises):
        if world.promises[place].cut == cut and world.promises[place].life & home.remembers:
            return False
    named = world.cuts[cut].voters & lives_of(home.device)
    anew = plan.breaks("promises-anew") or plan.breaks("votes-counted")
    if named & ~home.remembers and not anew:
        return False
    shows = world.cuts[cut].shows
    if home.base & ~shows and not plan.breaks("floor-falls"):
        return False
    if plan.breaks("folded-first") and any(
            known.shows & ~home.base for known in view.settled.values()):
        return False
    has = home.held | home.base if plan.breaks("stored-promised") else view.shown
    return not shows & ~has


def promise(world, number, cut):
    """A promise, stored before it is said."""
    lists = look(world, number).shown
    home = world.touch(number)
    if world.plan.breaks("stored-promised"):
        lists = home.held | home.base
    mine = world.next_number("promises", number, PROMISES_PER_HOME)
    world.add("promises", mine, Promise(
        cut, own_life(world, number), lists, home.records, home.fresh, home.closed,
        home.remembers))
    home.promises |= 1 << mine
    home.said |= 1 << mine
    home.bound |= 1 << cut


def known_promises(world, home, cut):
    """The promises for a cut that a home has."""
    return sum(1 << p for p in bits(home.promises) if world.promises[p].cut == cut)


def can_settle(world, number, cut):
    """Whether a proposer has what settles its cut."""
    home = world.homes[number]
    if world.plan.breaks("no-settlement") or world.cuts[cut].proposer & ~home.remembers:
        return False
    if home.gone >> cut & 1 or not acts(world, number):
        return False
    if not is_open(world, look(world, number), cut):
        return False
    return is_enough(world, cut, known_promises(world, home, cut), home.lives)


def can_give_up(world, number, cut):
    """Whether a cut of one's own names a life that ended without a promise."""
    home = world.homes[number]
    proposed = world.cuts[cut]
    if proposed.proposer & ~home.remembers or world.plan.breaks("never-given-up"):
        return False
    if home.gone >> cut & 1 or not is_open(world, look(world, number), cut):
        return False
    given = 0
    for place in bits(home.promises):
        if world.promises[place].cut == cut:
            given |= world.promises[place].remembers
    return any(
        newest(home.lives, life // LIVES) != 1 << life for life in bits(proposed.voters & ~given))


def give_up(world, number, cut):
    """The word of a proposer that it will never settle its cut, stored before it is said."""
    world.touch(number).gone |= 1 << cut


def settle(world, number, cut):
    """The word of a proposer on which promises count."""
    home = world.touch(number)
    mine = world.next_number("settlements", number, SETTLEMENTS_PER_HOME)
    world.add("settlements", mine, Settlement(cut, known_promises(world, home, cut)))
    home.settlements |= 1 << mine
