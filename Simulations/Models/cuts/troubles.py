"""What befalls a fleet: newcomers, removals, lapses, and disks that are copied and put back."""

from .acting import acts
from .judge import members
from .meeting import begin_life, install, notice, send, tell
from .objects import LIVES, RECORDS_PER_HOME, Record, bits, life_bit, lives_of
from .views import look, open_cuts


def note(world, number, kind, target, frontier=0, of=-1):
    """A membership record."""
    home = world.touch(number)
    mine = world.next_number("records", number, RECORDS_PER_HOME)
    world.add("records", mine, Record(kind, target, frontier, of))
    home.records |= 1 << mine
    world.times -= 1


def all_records(world):
    """Every record that anybody holds."""
    known = 0
    for home in world.homes:
        if home.there:
            known |= home.records
    return known


def may_decide(world, number):
    """Two that shut each other out are the membership rule's to judge, before any cut."""
    active, lapsed, _ = members(world, all_records(world))
    device = world.homes[number].device
    return acts(world, number) and bool(active >> device & 1) and not lapsed >> device & 1


def admit(world, one, place):
    """A newcomer begins with all that who lets it in holds, and is bound by what binds that one."""
    note(world, one, "add", place)
    newcomer = world.touch(place)
    newcomer.there = True
    newcomer.device = place
    newcomer.remembers = life_bit(place, 0)
    newcomer.gone = world.homes[one].gone
    source = world.touch(one)
    newcomer.fresh = source.fresh
    newcomer.keys = source.keys
    newcomer.lives |= life_bit(place, 0)
    source.lives |= life_bit(place, 0)
    if world.disturbed >> source.device & 1:
        world.disturbed |= 1 << place
    install(newcomer, source)
    if not world.plan.breaks("newcomers-free"):
        newcomer.bound = source.bound
    send(world, one, place)


def disturb(world, one, other):
    """Whoever loses its vote may write in vain, and so may those of whom it alone knew."""
    device = world.homes[other].device
    world.disturbed |= 1 << device
    for number in bits(world.homes[other].records & ~world.homes[one].records):
        world.disturbed |= 1 << world.records[number].target


def remove(world, one, other):
    """A removal names what its author holds of the removed device."""
    disturb(world, one, other)
    home = world.homes[one]
    device = world.homes[other].device
    frontier = sum(
        1 << number for number in bits(home.held | home.base)
        if world.batches[number].device == device)
    note(world, one, "remove", device, frontier)


def extend(world, one, device):
    """An admin accepts all late writes of a removed device that it holds."""
    home = world.homes[one]
    frontier = sum(
        1 << number for number in bits(home.held | home.base)
        if world.batches[number].device == device)
    note(world, one, "extend", device, frontier)


def lapse(world, one, other):
    """Takes the vote from a device."""
    disturb(world, one, other)
    note(world, one, "lapse", world.homes[other].device)


def come_back(world, one, other):
    """Who lapsed sends what it wrote, takes a snapshot, and goes on under a new life."""
    back = world.homes[other]
    note(world, one, "back", back.device)
    world.times += 1
    tell(world, one, other)
    tell(world, other, one)
    send(world, other, one)
    begin_life(world, other, forgot=False)
    source = world.homes[one]
    back = world.touch(other)
    if back.base & ~source.base == 0 and source.floor >= 0:
        install(back, source)
    back.fresh = source.fresh
    tell(world, other, one)
    send(world, one, other)
    # Bonds that cross would leave it nothing to show: its own come first.
    for cut in bits(source.bound & ~world.homes[other].bound):
        before = world.homes[other].bound
        world.touch(other).bound |= 1 << cut
        if crosses(world, other) and not world.plan.breaks("bonds-added"):
            world.touch(other).bound = before


def crosses(world, number):
    """Whether a home no longer shows a cut that binds it."""
    view = look(world, number)
    return any(
        world.cuts[cut].shows & ~view.shown
        for cut in open_cuts(world, world.homes[number], view))


def put_back(world, number, noticed):
    """A disk is as it was, and its device notices or does not."""
    image = world.images[number]
    now = world.homes[number]
    world.times -= 1
    mark_copied(world, number)
    for record in bits(now.records & ~image.records):
        world.disturbed |= 1 << world.records[record].target
    home = world.homes[number] = image.copy()
    world.views.pop(number, None)
    home.lives |= life_bit(home.device, home.life)
    if noticed:
        begin_life(world, number, forgot=True)
    else:
        world.unnoticed |= life_bit(home.device, home.life)
        notice(world, number)


def mark_copied(world, number):
    """Of a device that was copied nobody can ask that it remembers."""
    device = world.homes[number].device
    world.disturbed |= 1 << device


def clone(world, number, place, noticed):
    """The disk goes on in a second machine, as a life of its own or as the same."""
    mark_copied(world, number)
    world.times -= 1
    home = world.homes[place] = world.homes[number].copy()
    world.views.pop(place, None)
    if noticed:
        begin_life(world, place, forgot=True)
    else:
        world.unnoticed |= life_bit(home.device, home.life)


def crash(world, number):
    """A process ends. Only a mistake has something to lose."""
    home = world.touch(number)
    world.times -= 1
    home.bound = 0
    home.promises &= ~home.said
    home.said = 0


def is_witnessed(world, number):
    """Whether somebody else remembers what a disk forgets that is put back without notice."""
    image = world.images[number]
    home = world.homes[number]
    if image.records != home.records:
        return False
    for promise in bits(home.said & ~image.said):
        named = world.cuts[world.promises[promise].cut].voters
        if not any(
            other.there and other.device != home.device
            and not world.disturbed >> other.device & 1 and named & lives_of(other.device)
            for other in world.homes
        ):
            return False
    return True


def possible_troubles(world, number):
    """What may befall one home, or be done by it to others."""
    plan = world.plan
    home = world.homes[number]
    steps = []
    present = [other for other, found in enumerate(world.homes) if found.there]
    empty = [other for other, found in enumerate(world.homes) if not found.there]
    if may_decide(world, number):
        active, lapsed, _ = members(world, home.records)
        full = world.next_number("records", number, RECORDS_PER_HOME) is None
        everything = all_records(world)
        if plan.has("newcomer") and empty and not full:
            steps.append(("admit", number, empty[0]))
        for other in present if not full else []:
            device = world.homes[other].device
            if device in (home.device, plan.reader):
                continue
            if plan.has("removal") and active >> device & 1:
                steps.append(("remove", number, other))
            was = {world.records[r].kind for r in bits(everything)
                   if world.records[r].target == device}
            if plan.has("lapse") and active >> device & 1 and not was & {"lapse", "remove"}:
                steps.append(("lapse", number, other))
        for record in bits(home.records) if not full else []:
            found = world.records[record]
            if found.kind != "remove":
                continue
            turned = any(world.records[r].of == record for r in bits(everything))
            if plan.has("turn") and not turned:
                steps.append(("turn", number, record))
            if plan.has("extend") and not turned:
                steps.append(("extend", number, found.target))
    if plan.has("restore") or plan.has("rollback"):
        if world.images[number] is None:
            steps.append(("copy", number))
        elif world.images[number].state() != home.state():
            if plan.has("restore"):
                steps.append(("restore", number))
            if plan.has("rollback") and is_witnessed(world, number):
                steps.append(("rollback", number))
    for kind in ("clone", "twin"):
        if plan.has(kind) and empty and acts(world, number):
            steps.append((kind, number, empty[-1]))
    if plan.has("crash") and plan.breaks("promise-unstored") and home.bound:
        steps.append(("crash", number))
    return steps


def can_come_back(world, one, other):
    """Whether a device that may decide sees that another one has lapsed."""
    home = world.homes[one]
    back = world.homes[other]
    if not back.there or back.life >= LIVES - 4 or not may_decide(world, one):
        return False
    if world.next_number("records", one, RECORDS_PER_HOME) is None:
        return False
    active, lapsed, _ = members(world, home.records)
    return bool(active >> back.device & 1) and bool(lapsed >> back.device & 1)


def is_held(world, number):
    """The batches of a home that are late in its own view."""
    return look(world, number).late & world.homes[number].held
