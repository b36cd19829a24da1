"""What must hold once everybody has met everybody. An answer is a sentence, or None."""

from .checks import home_alone, inside, name, names, present
from .judge import covers
from .meeting import send
from .objects import bits, life_bit
from .steps import give_key
from .views import effective, look, make_view


def together(world):
    """What must hold once everybody has met everybody; the state is changed by that."""
    meet_all(world)
    there = inside(world)
    return (
        lateness(world, there) or disagreement(world, there) or unmergeable(world, there)
        or equal_floors(world, there) or missing(world, there)
        or next((f for f in (home_alone(world, n) for n in present(world)) if f), None))


def meet_all(world):
    """Everybody meets everybody until nothing is new."""
    there = present(world)
    while True:
        before = list(world.homes)
        for one in there:
            for other in there:
                if one != other:
                    send(world, one, other)
                    if world.homes[one].keys & ~world.homes[other].keys:
                        give_key(world, one, other)
        if all(
            old is new or old.state() == new.state() for old, new in zip(before, world.homes)
        ):
            return


def lateness(world, there):
    """No batch of a device to which nothing happened is late."""
    misled = 0
    for batch in world.batches.values():
        if life_bit(batch.device, batch.life) & world.unnoticed:
            misled |= batch.commit
    for number in there:
        late = look(world, number).late
        for place in bits(late):
            batch = world.batches[place]
            if world.disturbed >> batch.device & 1 or batch.past & misled:
                continue
            return (f"I1: {name(world, place)} of a device to which nothing happened is late for "
                    f"home {number}")
    return None


def disagreement(world, there):
    """Homes that know the same show the same, folded or not."""
    first = None
    for number in there:
        home = world.homes[number]
        view = make_view(world, home, bound=False)
        shown = (view.shown, effective(world, view.shown))
        if first is None:
            first = (number, shown)
        elif shown != first[1]:
            different = shown[0] ^ first[1][0] or shown[1] ^ first[1][1]
            return (f"I1: homes {first[0]} and {number} know the same and differ in "
                    + names(world, different))
    return None


def unmergeable(world, there):
    """Nothing beside a folded cut may still come to count."""
    for number in there:
        home = world.homes[number]
        view = look(world, number)
        settled = view.settled.get(home.floor)
        if settled is None:
            continue
        after = make_view(world, home, bound=False).shown & ~home.shown_at_fold & ~home.base
        for place in bits(after):
            if not covers(world.plan, world.batches[place], settled):
                return (f"I4: {name(world, place)} counts for home {number} beside the cut that it "
                        "had folded before it came")
    return None


def equal_floors(world, there):
    """Equal cuts give equal folded sets, of equal effect."""
    states = {}
    for number in there:
        home = world.homes[number]
        if home.floor < 0:
            continue
        state = (home.base, home.effect, home.closed)
        if states.setdefault(home.floor, (number, state))[1] != state:
            return f"I3: homes {states[home.floor][0]} and {number} folded one cut differently"
    return None


def missing(world, there):
    """A commit that a remaining disk acknowledged is with everybody, shown or to be found."""
    acknowledged = 0
    for number in present(world):
        acknowledged |= world.homes[number].own
    for number in there:
        home = world.homes[number]
        if acknowledged & ~(home.held | home.base):
            return (f"I2: {names(world, acknowledged & ~(home.held | home.base))} does not reach "
                    f"home {number}")
        view = look(world, number)
        for place in bits(view.waiting):
            batch = world.batches[place]
            if batch.key & home.keys and is_whole(world, number, place):
                return (f"I2: home {number} neither shows {name(world, place)} nor tells of it, "
                        "and lacks nothing")
    return None


def is_whole(world, number, place):
    """Whether all that a batch needs is there, and does not wait itself."""
    home = world.homes[number]
    view = look(world, number)
    batch = world.batches[place]
    has = home.held | home.base
    return not (batch.past | batch.commit) & ~has and not batch.past & view.waiting
