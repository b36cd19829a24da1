"""Searches for a history that goes wrong: all short ones, or many long ones of chance."""

import random
from collections import Counter, deque

from .calm import stall
from .checks import is_split, on_one_disk
from .steps import after, possible
from .together import meet_all, together
from .views import look
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
        # How many histories of chance came to what the rule is about.
        self.reached = Counter()


# So many histories of chance come to these at least once, or something is wrong with the search.
REACHED = {
    200: (
        "late", "passed over", "undecided", "waiting", "folded", "fork", "snapshot", "new life",
        "return",
    ),
    2000: ("dropped", "said again", "settled side by side", "settled twice"),
}


def note_reached(world, steps, tally):
    """What a history came to, so that a search that comes to nothing is noticed."""
    found = set(step[0] for step in steps) & {"return"}
    for number, home in enumerate(world.homes):
        if not home.there:
            continue
        view = look(world, number)
        mine = home.held
        for word, is_so in (
            ("late", view.late & mine), ("passed over", view.passed & mine),
            ("undecided", view.undecided), ("waiting", view.waiting), ("folded", home.base),
            ("dropped", home.dropped), ("new life", home.life),
            ("snapshot", home.base and not home.said),
        ):
            if is_so:
                found.add(word)
    befores = Counter(
        batch.before for batch in world.batches.values() if batch.before >= 0)
    if any(count > 1 for count in befores.values()):
        found.add("fork")
    if any(batch.again >= 0 for batch in world.batches.values()):
        found.add("said again")
    settled = Counter(settlement.cut for settlement in world.settlements.values())
    if any(count > 1 for count in settled.values()):
        found.add("settled twice")
    shows = [world.cuts[cut].shows for cut in settled]
    if any(one & ~other and other & ~one for one in shows for other in shows):
        found.add("settled side by side")
    tally.reached.update(found)


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


WEIGHTS = {
    "fold": 40, "settle": 40, "promise": 30, "propose": 6, "write": 6, "again": 30, "deliver": 20,
    "tell": 10, "send": 10, "batches": 10, "close": 20, "touch": 6, "parts": 4, "sealed": 3,
    "key": 3, "post": 4, "return": 6, "alone": 10, "repeat": 4, "lose": 4, "copy": 4,
    "restore": 4, "rollback": 4, "give up": 4, "crash": 8, "turn": 4, "extend": 4,
}


def draw_step(world, draw):
    """A step that changes something; troubles are rare beside what a rule is about."""
    choice = possible(world)
    # What cuts are about must not drown in meetings, of which there are more in larger fleets.
    kinds = Counter(step[0] for step in choice)
    weights = [WEIGHTS.get(step[0], 1) / kinds[step[0]] ** 0.5 for step in choice]
    for _ in range(8):
        if not choice:
            break
        step = draw.choices(choice, weights)[0]
        changed = after(world, step)
        if step[0] not in ("tell", "send", "batches") or any(
                old is not new for old, new in zip(world.homes, changed.homes)):
            return step, changed
    return None, world


def walk(plan, seed, length, tally):
    """One history of chance, judged after each step and at its calm end."""
    draw = random.Random(seed)
    world = World(plan)
    steps = []
    tally.runs += 1
    for count in range(length):
        step, changed = draw_step(world, draw)
        if step is None:
            break
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
    note_reached(world, steps, tally)
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
