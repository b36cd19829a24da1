"""Searches for a history that goes wrong: all short ones, or many long ones of chance."""

import random
from collections import deque

from .calm import stall
from .checks import is_split, meet_all, on_one_disk, together
from .steps import after, possible
from .world import World


class Found:
    """A history that goes wrong, and how."""

    def __init__(self, plan, steps, fault, seed=None):
        self.plan = plan
        self.steps = steps
        self.fault = fault
        self.seed = seed


class Tally:
    """What was looked at."""

    def __init__(self):
        self.states = 0
        self.steps = 0
        self.runs = 0
        self.split = 0
        self.whole = True


def judge(world, before, step, judged):
    """What is wrong with a state; what comes to the same once all have met is judged once."""
    fault = on_one_disk(world, before, step)
    if fault:
        return fault
    met = world.copy()
    meet_all(met)
    key = met.state()[:6]
    if key in judged:
        return None
    judged.add(key)
    return together(met.copy()) or stall(met)


def explore(plan, most, tally):
    """Every history of a fleet, the shortest first, until so many states are known."""
    start = World(plan)
    seen = {start.state()}
    judged = set()
    queue = deque([(start, None)])
    while queue:
        world, way = queue.popleft()
        tally.states += 1
        if is_split(world):
            tally.split += 1
            continue
        fault = judge(world, way and way[2], way and way[1], judged)
        if fault:
            return Found(plan, unroll(way), fault)
        for step in possible(world):
            if len(seen) >= most:
                tally.whole = False
                break
            changed = after(world, step)
            tally.steps += 1
            key = changed.state()
            if key not in seen:
                seen.add(key)
                queue.append((changed, (way, step, world)))
    return None


def unroll(way):
    """The steps that led to a state."""
    steps = []
    while way:
        way, step, _ = way
        steps.append(step)
    return steps[::-1]


def weight(step):
    """Messages are frequent enough; what cuts are about must not be rare beside them."""
    return {
        "fold": 6, "settle": 6, "promise": 6, "propose": 3, "write": 2, "again": 6, "deliver": 4,
        "tell": 2, "send": 4, "batches": 4, "close": 4, "touch": 4, "parts": 2, "post": 1,
        "copy": 2, "restore": 3, "rollback": 3, "return": 2, "alone": 4,
    }.get(step[0], 1)


def walk(plan, seed, length, tally):
    """One history of chance, judged after each step and at its calm end."""
    draw = random.Random(seed)
    world = World(plan)
    steps = []
    tally.runs += 1
    for count in range(length):
        choice = possible(world)
        if not choice:
            break
        step = draw.choices(choice, [weight(each) for each in choice])[0]
        changed = after(world, step)
        steps.append(step)
        tally.steps += 1
        fault = on_one_disk(changed, world, step)
        if is_split(changed):
            tally.split += 1
            return None
        if not fault and count % 3 == 2:
            fault = together(changed.copy())
        if fault:
            return Found(plan, steps, fault, seed)
        world = changed
    fault = together(world.copy()) or stall(world.copy())
    return Found(plan, steps, fault, seed) if fault else None


def replay(plan, steps, lenient=False):
    """How a given history goes wrong; None when it cannot be played, or nothing is wrong.

    A lenient one passes over steps that cannot be taken.
    """
    world = World(plan)
    for step in steps:
        if step not in possible(world):
            if lenient:
                continue
            return None
        changed = after(world, step)
        fault = on_one_disk(changed, world, step)
        if is_split(changed):
            return None
        if fault:
            return fault
        world = changed
    return together(world.copy()) or stall(world.copy())


def shrink(found):
    """Leaves out steps as long as the same invariant breaks."""
    steps = list(found.steps)
    kind = found.fault[:2]
    fault = found.fault
    size = max(1, len(steps) // 2)
    while size:
        place = 0
        while place < len(steps):
            shorter = steps[:place] + steps[place + size:]
            now = replay(found.plan, shorter)
            if now and now[:2] == kind:
                steps, fault = shorter, now
            else:
                place += size
        size //= 2
    return Found(found.plan, steps, fault, found.seed)
