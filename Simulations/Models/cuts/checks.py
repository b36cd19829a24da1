"""What must hold of one home, whatever the others do. An answer is a sentence, or None."""

from .judge import covers, members, voids
from .objects import bits
from .troubles import all_records
from .views import effective, look


def name(world, number):
    """A batch as people read it."""
    batch = world.batches[number]
    return f"{chr(65 + batch.device)}{batch.life}.{batch.seq} (#{number})"


def names(world, batches):
    """Several batches as people read them."""
    return ", ".join(name(world, number) for number in bits(batches)) or "nothing"


def present(world):
    """The homes that there are."""
    return [number for number, home in enumerate(world.homes) if home.there]


def inside(world):
    """The homes of devices that no record of anybody leaves out."""
    active = members(world, all_records(world))[0]
    return [n for n in present(world) if active >> world.homes[n].device & 1]


def is_split(world):
    """Whether no rule could help: no voter remembers a settled cut, or two have none in common.

    Two sides that let each other go each settle what they like; and what all have forgotten binds
    nobody. Such states are left out, and counted.
    """
    voices = []
    for _, promises in world.settlements.values():
        if not promises or all(world.promises[number].fresh for number in bits(promises)):
            # What only lives that had forgotten settled is what a rule must not let happen.
            continue
        voice = 0
        for number, home in enumerate(world.homes):
            if home.there and home.said & promises:
                voice |= 1 << number
        voices.append(voice)
    return any(not voice for voice in voices) or any(
        not one & other for place, one in enumerate(voices) for other in voices[:place])


COPIED = ("restore", "rollback", "clone", "twin", "admit")


def on_one_disk(world, before=None, step=None):
    """What one home alone must keep to, after a step from the state before it."""
    for number in present(world):
        home = world.homes[number]
        old = before.homes[number] if before else None
        if old is home:
            continue
        copied = step is not None and step[0] in COPIED
        if old is not None and old.there and old.base & ~home.base and not copied:
            return f"I5: the floor of home {number} fell"
        lost = home.own & ~(home.held | home.base)
        if lost:
            return f"I2: home {number} lost {names(world, lost)}, which it had acknowledged"
        if world.alarm:
            return "I4: " + world.alarm
        found = unseen(world, before, number) or home_alone(world, number)
        if found:
            return found
    return None


def home_alone(world, number):
    """What one home must keep to, whatever the others do."""
    return (split_commit(world, number) or judged_at_floor(world, number)
            or evidence(world, number) or resurrected(world, number))


def unseen(world, before, number):
    """What a person writes shows on that device at once."""
    if before is None or world.order == before.order:
        return None
    view = look(world, number)
    new = world.batches[world.order[-1]].commit & world.homes[number].own
    if new & (view.waiting | view.undecided):
        return f"I2: home {number} does not show {names(world, new)}, which it has just written"
    return None


def split_commit(world, number):
    """A fold must not show a part of a commit alone."""
    home = world.homes[number]
    for batch in bits(home.base):
        if world.batches[batch].commit & ~home.base:
            return f"I1: home {number} folded a part of the commit of {name(world, batch)}"
    return None


def judged_at_floor(world, number):
    """What is folded is never late, nor passed over; nor does the floor stand on an unknown cut."""
    home = world.homes[number]
    view = look(world, number)
    wrong = home.base & (view.late | view.passed)
    if wrong:
        return f"I1: home {number} folded {names(world, wrong)}, which does not count"
    if home.floor >= 0 and home.floor not in view.settled:
        return f"I1: home {number} stands on a cut that it does not know to be settled"
    return None


def evidence(world, number):
    """A folded home must come to the past of every batch from what it kept."""
    home = world.homes[number]
    if home.floor < 0:
        return None
    view = look(world, number)
    pasts = {}
    for first in world.order:
        if not world.batches[first].commit & home.held:
            continue
        for place in bits(world.batches[first].commit & home.held):
            batch = world.batches[place]
            past = derive(world, home, place, pasts)
            counts = not batch.commit & (view.late | view.passed)
            if past is None and counts:
                return (f"I4: home {number} cannot link {name(world, place)}, which counts: the "
                        "header before it is gone")
            if past is not None and past & ~home.base != batch.past & ~home.base:
                return f"I4: home {number} cannot tell what {name(world, place)} builds on"
            settled = view.settled.get(home.floor)
            if past is not None and settled is not None:
                claimed = batch._replace(past=past)
                if covers(world.plan, claimed, settled) != covers(world.plan, batch, settled):
                    return (f"I4: home {number} judges {name(world, place)} otherwise than who "
                            "has not folded")
    return None


def derive(world, home, number, pasts):
    """The past of a batch by what a home holds of its chain; None when nothing leads there."""
    if number in pasts:
        return pasts[number]
    batch = world.batches[number]
    before = batch.before
    if before < 0:
        past = batch.said
    elif home.evidence >> before & 1:
        known = 0 if world.plan.breaks("vectors-forgotten") else world.batches[before].past
        past = known | 1 << before | batch.said
    elif home.held >> before & 1:
        known = derive(world, home, before, pasts)
        past = None if known is None else known | 1 << before | batch.said
    else:
        past = None
    # Parts of one commit do not build on each other.
    past = None if past is None else past & ~batch.commit
    pasts[number] = past
    return past


def resurrected(world, number):
    """What is gone for good is not needed again, and a folded change has effect or not for good."""
    home = world.homes[number]
    view = look(world, number)
    if home.dropped:
        for batch in bits(view.shown & ~home.base):
            if world.batches[batch].kind == "touch":
                return (f"I4: home {number} shows {name(world, batch)}, which needs what was "
                        "dropped for good")
    for settled in view.settled.values():
        for batch in bits(view.shown & ~settled.shows & ~home.base):
            found = world.batches[batch]
            listed = any(other.listed >> batch & 1 for other in view.settled.values()
                         if not voids(found, other.out))
            if voids(found, settled.out) and not covers(world.plan, found, settled) and not listed:
                return (f"I7: home {number} shows {name(world, batch)}, which the voters of a cut "
                        "had out")
    now = effective(world, view.shown)
    if home.floor >= 0 and now & home.base != home.effect:
        return f"I7: what home {number} folded has another effect after a later batch"
    places = set()
    for batch in bits(now):
        again = world.batches[batch].again
        place = again if again >= 0 else batch
        if place in places:
            return f"I7: home {number} shows {name(world, place)} twice"
        places.add(place)
    return None
