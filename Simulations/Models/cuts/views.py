"""Ordinary, undecided, late or passed over: the judgement of each batch that a home holds."""

from .judge import (
    View, covers, is_below, members, out_by_promises, settled_cuts, voids, vouched)
from .objects import bits


def open_cuts(world, home, view):
    """The cuts that still bind a home: not settled, not spoilt, and above all that are settled."""
    return [cut for cut in bits(home.bound & ~home.gone) if is_open(world, view, cut)]


def is_open(world, view, cut):
    """Whether a cut may still be settled, as far as a view knows."""
    if cut in view.settled:
        return False
    if world.plan.breaks("open-for-ever"):
        return True
    shows = world.cuts[cut].shows
    # A removal of the moment may come to nothing, and the cut be settled after all.
    spoilt = view.late | (view.passed if world.plan.breaks("removal-frees") else view.barred)
    if shows & spoilt:
        return False
    return all(
        not known.shows & ~shows and known.shows != shows for known in view.settled.values())


def verdicts(world, known, settled):
    """All late and all passed-over batches, and those passed over for good.

    A removal that the promises knew is asked before lateness: what it leaves out beside the cut is
    passed over for good, and does not spoil what was built on it. Else what a settled cut lists
    counts for good, whatever is signed later.
    """
    plan = world.plan
    out = members(world, known)[2]
    lapsed = members(world, known)[1] if plan.breaks("lapse-at-once") else 0
    cuts = list(settled.items())
    late = passed = barred = 0
    for first in world.order:
        batch = world.batches[first]
        is_late = is_passed = counts = False
        for _, cut in cuts:
            if is_below(world, batch, cut.shows) or covers(plan, batch, cut):
                counts = counts or not batch.commit & ~cut.shows
            elif not batch.commit & ~cut.listed and not plan.breaks("lists-ignored"):
                counts = True
            elif batch.commit & cut.under and not plan.breaks("under-late"):
                is_passed = True
            elif voids(batch, cut.out) and not plan.breaks("late-before-removal"):
                is_passed = not plan.breaks("extend-after-cut") or is_passed
                is_late = is_late or (
                    plan.breaks("extend-after-cut") and not voids(batch, out))
            else:
                is_late = True
        if plan.breaks("removal-undoes"):
            counts = False
        if is_passed:
            # For good: whoever built on it passed it over, too.
            is_late = False
            barred |= batch.commit
        if batch.past & late and not plan.breaks("late-alone"):
            is_late = True
        if lapsed >> batch.device & 1 and not counts:
            is_late = True
        if is_late:
            late |= batch.commit
        elif is_passed or (not counts and voids(batch, out)):
            passed |= batch.commit
    return late, passed, barred


def look(world, number):
    """The view of one home, made once for each state of it."""
    view = world.views.get(number)
    if view is None:
        view = world.views[number] = make_view(world, world.homes[number])
    return view


def make_view(world, home, bound=True):
    """How a home judges what it holds."""
    view = View()
    view.settled = settled_cuts(world, home)
    view.late, view.passed, view.barred = verdicts(world, home.records, view.settled)
    hold = []
    if bound and not world.plan.breaks("undecided-shown"):
        for cut in open_cuts(world, home, view):
            shows = world.cuts[cut].shows
            hold.append((shows, vouched(world, home, cut), out_by_promises(world, home, cut)))
    shown = reach = home.base
    undecided = waiting = 0
    has = home.held | home.base
    for first in world.order:
        batch = world.batches[first]
        commit = batch.commit
        if not commit & has or not commit & ~home.base:
            continue
        if commit & view.passed:
            # Passed like one without content: what builds on it finds it.
            if not commit & ~has and not batch.past & ~reach:
                reach |= commit
            continue
        if commit & view.late:
            continue
        if batch.past & undecided & ~reach:
            undecided |= commit & has
            continue
        if commit & ~has or batch.past & ~reach or not batch.key & home.keys:
            waiting |= commit & has
            continue
        beside = [
            (words, out) for shows, words, out in hold
            if commit & ~shows and shows & ~batch.past]
        if any(voids(batch, out) for _, out in beside):
            # It may be passed over for good, so nobody builds on its being there.
            undecided |= commit
            reach |= commit
            continue
        if any(commit & ~words for words, _ in beside):
            undecided |= commit
            continue
        shown |= commit
        reach |= commit
    view.shown = shown
    view.reach = reach
    view.undecided = undecided
    view.waiting = waiting
    return view


def effective(world, shown):
    """The shown batches that have effect: of several that say one again the first counts."""
    result = shown
    places = {}
    for number in bits(shown):
        batch = world.batches[number]
        if batch.again >= 0:
            places.setdefault(batch.again, []).append(number)
    if world.plan.breaks("rewritten-twice"):
        return result
    for place, sayers in places.items():
        first = [
            number for number in sayers
            if not any(world.batches[number].past >> other & 1 for other in sayers)
        ]
        keeps = -1 if shown >> place & 1 else min(first)
        for number in sayers:
            if number != keeps:
                result &= ~(1 << number)
    return result
