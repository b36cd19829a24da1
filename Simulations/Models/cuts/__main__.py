"""python3 -m cuts [--quick | --seeds N | --whole | --plant NAME | --all-plants]"""

import argparse
import json
import sys
import time
from pathlib import Path

from .fleets import FLEETS, QUICK, WHOLE
from .plants import PLANTS, plan_of, sentence_of
from .search import REACHED, Found, Tally, explore, replay, shrink, walk
from .story import tell_story
from .world import Plan

LENGTH = 60
STORIES = Path(__file__).with_name("stories.json")


def say(text):
    """A line for people."""
    print(text, file=sys.stderr, flush=True)


def stories():
    """The shortest known history for each mistake."""
    kept = json.loads(STORIES.read_text(encoding="utf-8"))
    return {name: [tuple(step) for step in steps] for name, steps in kept.items()}


def sound(plan):
    """The same fleet without a mistake."""
    return Plan(plan.devices, plan.writes, plan.cuts, plan.troubles, plan.times, plan.spare)


def play_stories(names, known):
    """Whether each kept history goes wrong with its mistake, and well without it."""
    missed = []
    for name in names:
        steps = known.get(name)
        fault = replay(plan_of(name), steps) if steps else None
        if fault is None:
            missed.append(name)
            say(f"not caught: {name}: {sentence_of(name)}")
            continue
        # Steps that only the mistake allows end the history of the sound rule early.
        good = replay(sound(plan_of(name)), steps, lenient=True)
        if good is not None:
            missed.append(name)
            say(f"the story of {name} goes wrong without the mistake: {good}")
    return missed


def hunt(name, seeds):
    """Looks for a planted mistake by chance, and tells its shortest story."""
    tally = Tally()
    found = None
    for seed in range(1, seeds + 1):
        found = walk(plan_of(name), seed, LENGTH, tally)
        if found:
            say(f"{name}: {sentence_of(name)}; found by seed {seed} of chance, made shorter:")
            break
    if found is None:
        steps = stories().get(name)
        fault = replay(plan_of(name), steps) if steps else None
        if fault:
            say(f"{name}: {sentence_of(name)}; not in {seeds} seeds of chance, but in the story "
                "that is kept:")
            found = Found(plan_of(name), steps, fault)
    if found is None:
        say(f"not caught: {name}: {sentence_of(name)}")
        return tally, None
    found = shrink(found)
    say(tell_story(found))
    return tally, found


def chance(first, seeds, tally):
    """Histories of chance in all fleets by turns."""
    for seed in range(first, first + seeds):
        found = walk(FLEETS[seed % len(FLEETS)], seed, LENGTH, tally)
        if found:
            return found
    return None


def whole(fleets, tally):
    """All histories of small fleets."""
    for title, plan, most in fleets:
        began, before = time.process_time(), tally.states
        tally.whole = True
        found = explore(plan, most, tally)
        if found:
            return found
        say(f"{title}: {tally.states - before} states, "
            f"{'all' if tally.whole else 'not all'}, {time.process_time() - began:.0f} s")
    return None


def main():
    """Exit 0 when the rule held and every mistake was caught, 1 when not, 2 on wrong usage."""
    parser = argparse.ArgumentParser(prog="cuts")
    parser.add_argument("--quick", action="store_true", help="every mistake, and a few histories")
    parser.add_argument("--seeds", type=int, default=0, help="so many histories of chance")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--whole", action="store_true", help="all histories of small fleets")
    parser.add_argument("--plant", help="look for one planted mistake")
    parser.add_argument("--all-plants", action="store_true", help="look for every planted mistake")
    asked = parser.parse_args()
    if asked.plant and asked.plant not in PLANTS:
        say("there is no such mistake; there are:")
        for name in PLANTS:
            say(f"  {name:20} {sentence_of(name)}")
        return 2
    began = time.process_time()
    tally = Tally()
    found, missed, caught = None, [], 0
    if asked.plant:
        tally, hit = hunt(asked.plant, asked.seeds or 300)
        report(tally, began, plant=asked.plant, caught=bool(hit))
        # A mistake that is caught is a violation, as it would be without --plant.
        return 1 if hit else 0
    if asked.all_plants:
        for name in PLANTS:
            hit = hunt(name, asked.seeds or 60)[1]
            caught += hit is not None
            missed += [] if hit else [name]
    else:
        everything = not (asked.seeds or asked.whole)
        if asked.quick or everything:
            missed = play_stories(PLANTS, stories())
            caught = len(PLANTS) - len(missed)
        if asked.whole or asked.quick or everything:
            found = whole(QUICK if asked.quick and not asked.whole else WHOLE, tally)
        if found is None and (asked.seeds or asked.quick or everything):
            found = chance(asked.first, asked.seeds or (220 if asked.quick else 2200), tally)
    if found:
        say(f"the rule does not hold{'' if found.seed is None else f' at seed {found.seed}'}:")
        say(tell_story(shrink(found)))
    asleep = [
        word for runs, words in REACHED.items() if tally.runs >= runs for word in words
        if not tally.reached[word]]
    asleep = [] if found else asleep
    for word in asleep:
        say(f"the search never came to this, and so proves nothing of it: {word}")
    held = found is None and not missed and not asleep
    report(tally, began, held=held, caught=caught, missed=missed, reached=dict(tally.reached))
    return 0 if held else 1


def report(tally, began, **more):
    """The figures of a run."""
    print(json.dumps({
        "check": "cuts", **more, "states": tally.states, "runs": tally.runs,
        "steps": tally.steps, "split": tally.split,
        "seconds": round(time.process_time() - began, 1)}))


if __name__ == "__main__":
    sys.exit(main())
