"""Raising the floor: what a fold needs, what it keeps as evidence, and what it drops for good."""

from .acting import own_life, settle
from .judge import is_closed
from .objects import CUTS_PER_HOME, Cut, bits
from .views import effective, look


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
