"""All steps by name: what may be taken from a state, and the state after each."""

from . import acting, folding, mail, troubles
from .meeting import send, tell
from .objects import CUTS_PER_HOME, PROMISES_PER_HOME, SETTLEMENTS_PER_HOME, bits

MOST_MAIL = 3


def possible(world):
    """All steps that can be taken next."""
    plan = world.plan
    steps = []
    present = [number for number, home in enumerate(world.homes) if home.there]
    for one in present:
        if world.writes > 0 and acting.acts(world, one) and world.room_to_write(one):
            steps += writes(world, one)
        for other in present:
            if other == one:
                continue
            steps += [("tell", one, other), ("send", one, other)]
            if plan.breaks("batches-first"):
                steps.append(("batches", one, other))
            if plan.has("key") and world.homes[one].keys & ~world.homes[other].keys:
                steps.append(("key", one, other))
            if plan.has("mail") and len(world.mail) < MOST_MAIL:
                # All that it holds, or the last of it does not come.
                held = bin(world.homes[one].held).count("1")
                steps += [("post", one, other, count) for count in {max(0, held - 1), held}]
            if plan.has("lapse") and troubles.can_come_back(world, one, other):
                steps.append(("return", one, other))
        steps += cutting(world, one)
        if world.times > 0:
            steps += troubles.possible_troubles(world, one)
    for place in range(len(world.mail)):
        steps += [("deliver", place), ("repeat", place), ("lose", place)]
    return steps


def writes(world, one):
    """What a person may write at a home."""
    plan = world.plan
    steps = [("write", one)]
    if plan.has("parts"):
        steps.append(("parts", one))
    if plan.has("key") and world.homes[one].keys & 2:
        steps.append(("sealed", one))
    if plan.has("item"):
        if acting.can_touch(world, one):
            steps += [("close", one), ("touch", one)]
    if plan.has("rewrite"):
        for batch in bits(troubles.is_held(world, one)):
            if acting.can_rewrite(world, one, batch):
                steps.append(("again", one, batch))
    return steps


def cutting(world, one):
    """What a home may do about cuts."""
    home = world.homes[one]
    steps = []
    if world.proposals > 0 and acting.acts(world, one) and acting.proposal(world, one) != home.base:
        if world.next_number("cuts", one, CUTS_PER_HOME) is not None:
            steps.append(("propose", one))
            if world.plan.breaks("minimum-alone") and home.heard:
                steps.append(("alone", one))
    for cut in bits(home.cuts):
        if acting.can_promise(world, one, cut):
            if world.next_number("promises", one, PROMISES_PER_HOME) is not None:
                steps.append(("promise", one, cut))
        if acting.can_settle(world, one, cut):
            if world.next_number("settlements", one, SETTLEMENTS_PER_HOME) is not None:
                steps.append(("settle", one, cut))
        if acting.can_give_up(world, one, cut):
            steps.append(("give up", one, cut))
        if folding.can_fold(world, one, cut):
            steps.append(("fold", one, cut))
    return steps


def give_key(world, one, other):
    """A key that a home waits for comes."""
    world.touch(other).keys |= world.homes[one].keys


def copy_disk(world, number):
    """A copy that may be put back later."""
    world.images = list(world.images)
    world.images[number] = world.homes[number].copy()


def lose(world, place):
    """A message does not arrive."""
    world.mail = world.mail[:place] + world.mail[place + 1:]


ACTS = {
    "write": acting.write,
    "parts": lambda world, one: acting.write(world, one, parts=2),
    "sealed": lambda world, one: acting.write(world, one, key=2),
    "close": lambda world, one: acting.write(world, one, kind="close"),
    "touch": lambda world, one: acting.write(world, one, kind="touch"),
    "again": lambda world, one, batch: acting.write(world, one, again=batch),
    "tell": tell,
    "send": send,
    "batches": lambda world, one, other: send(world, one, other, before=False),
    "key": give_key,
    "post": mail.post,
    "deliver": lambda world, place: mail.deliver(world, place, False),
    "repeat": lambda world, place: mail.deliver(world, place, True),
    "lose": lose,
    "propose": acting.propose,
    "alone": folding.fold_alone,
    "promise": acting.promise,
    "settle": acting.settle,
    "give up": acting.give_up,
    "fold": folding.fold,
    "admit": troubles.admit,
    "remove": troubles.remove,
    "turn": lambda world, one, record: troubles.note(
        world, one, "turn", world.records[record].target, of=record),
    "extend": troubles.extend,
    "lapse": troubles.lapse,
    "return": troubles.come_back,
    "copy": copy_disk,
    "restore": lambda world, number: troubles.put_back(world, number, True),
    "rollback": lambda world, number: troubles.put_back(world, number, False),
    "clone": lambda world, number, place: troubles.clone(world, number, place, True),
    "twin": lambda world, number, place: troubles.clone(world, number, place, False),
    "crash": troubles.crash,
}


def after(world, step):
    """The state after a step; the one before stays as it was."""
    changed = world.copy()
    ACTS[step[0]](changed, *step[1:])
    return changed
