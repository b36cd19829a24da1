"""What can happen next, and what then is so: writing, cutting and meeting."""

from .judge import is_closed, is_enough, members, newest, voters
from .meeting import bring, end_late_chain, hear, words
from .objects import (
    BATCHES_PER_HOME, CUTS_PER_HOME, LIVES, PROMISES_PER_HOME, SETTLEMENTS_PER_HOME, Batch, Cut,
    Promise, Settlement, bits, life_bit, lives_of)
from .views import effective, is_open, look, open_cuts


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


def can_fold(world, number, cut):
    """Whether a home shows all that a settled cut lists."""
    home = world.homes[number]
    plan = world.plan
    view = look(world, number)
    settled = view.settled.get(cut)
    if settled is None or settled.shows == home.base:
        return False
    if home.base & ~settled.shows and not plan.breaks("floor-falls"):
        return False
    wanted = settled.shows | (0 if plan.breaks("folded-early") else settled.listed)
    return not wanted & ~(view.late | view.passed) & ~view.shown


def fold(world, number, cut):
    """Raises the floor to a cut; what it drops for good is a function of the settlement."""
    view = look(world, number)
    settled = view.settled[cut]
    home = world.touch(number)
    plan = world.plan
    if plan.breaks("deleted-first") and home.held & settled.shows:
        home.held &= ~settled.shows
        return
    if plan.breaks("inbox-deleted"):
        home.held &= ~view.late
    available = home.held | home.evidence
    needed = needed_evidence(
        world, settled.shows,
        (view.shown | home.held | settled.listed) & ~(view.late | view.passed))
    if needed & ~available:
        world.alarm = "a fold needs a header that an earlier one dropped"
    home.evidence = needed & available
    home.effect = effective(world, view.shown) & settled.shows
    home.shown_at_fold = view.shown
    home.base = settled.shows
    home.floor = cut
    home.held &= ~settled.shows
    seen = view.shown if plan.breaks("closed-by-own-view") else settled.shows
    home.closed = home.dropped or is_closed(world, seen, settled.listed)
    home.dropped = home.dropped or settled.drops or (
        home.closed and plan.breaks("dropped-at-once"))
    if has_part(world, home, cut):
        home.fresh = False


def has_part(world, home, cut):
    """Whether this life, or one that it remembers, promised a settled cut."""
    return any(
        world.promises[place].life & home.remembers
        for number in bits(home.settlements) if world.settlements[number].cut == cut
        for place in bits(world.settlements[number].promises))


def needed_evidence(world, shows, known):
    """The folded batches that a later one may follow: ends of chains, and forks that are known."""
    followed = 0
    forks = 0
    for number in bits(known | shows):
        before = world.batches[number].before
        if before < 0 or not shows >> before & 1:
            continue
        if shows >> number & 1:
            followed |= 1 << before
        else:
            forks |= 1 << before
    ends = shows & ~followed
    return ends if world.plan.breaks("forks-forgotten") else ends | forks


def fold_alone(world, number):
    """A mistake: the floor is the least that everybody was heard to hold."""
    shows = look(world, number).shown
    home = world.touch(number)
    for other, heard in enumerate(home.heard):
        if world.homes[other].there and other != number:
            shows &= heard
    cut = world.next_number("cuts", number, CUTS_PER_HOME)
    world.add("cuts", cut, Cut(own_life(world, number), shows, home.records, 0, home.remembers))
    home.cuts |= 1 << cut
    home.put |= 1 << cut
    settle(world, number, cut)
    world.views.pop(number, None)
    if can_fold(world, number, cut):
        fold(world, number, cut)
    world.proposals -= 1


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
