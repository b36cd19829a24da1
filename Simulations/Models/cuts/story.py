"""A history told in words."""

from .checks import name, names
from .objects import bits
from .steps import after
from .views import look
from .world import World


def home(number):
    """A home as people read it."""
    return f"home {number}"


def signed(world, cut):
    """A cut as people read it."""
    return f"cut {cut} ({names(world, world.cuts[cut].shows)})"


def describe(before, step, world):
    """One step as a sentence."""
    act, who = step[0], step[1]
    if act in ("write", "parts", "sealed", "close", "touch", "again"):
        new = sum(1 << b for b in world.batches if b not in before.batches)
        how = {
            "write": "writes", "parts": "writes in two parts", "sealed": "writes under a new key",
            "close": "deletes the item by", "touch": "brings the item back by",
            "again": "says a late batch again as",
        }[act]
        past = world.batches[next(bits(new))].past
        return f"{home(who)} {how} {names(world, new)}, on top of {names(world, past)}"
    if act in ("tell", "send", "batches", "key", "return", "admit", "remove", "lapse", "post"):
        how = {
            "tell": "tells {} what was signed, and no batches",
            "send": "meets {} and sends all that it has",
            "batches": "sends {} batches before anything that was signed",
            "key": "gives {} its keys", "return": "lets {} back, which had lapsed",
            "admit": "lets in {}", "remove": "removes the device of {}",
            "lapse": "takes the vote from the device of {}", "post": "posts a message to {}",
        }[act]
        return f"{home(who)} " + how.format(home(step[2]))
    if act == "propose" or act == "alone":
        cut = next(number for number in world.cuts if number not in before.cuts)
        how = "proposes" if act == "propose" else "takes for its floor"
        return f"{home(who)} {how} {signed(world, cut)}"
    if act in ("promise", "settle", "fold", "give up"):
        how = {"promise": "promises", "settle": "settles", "fold": "folds", "give up": "gives up"}
        text = f"{home(who)} {how[act]} {signed(world, step[2])}"
        if act == "promise":
            new = next(p for p in world.promises if p not in before.promises)
            text += f", listing {names(world, world.promises[new].lists)}"
        return text
    if act in ("turn", "extend"):
        return f"{home(who)} " + (
            "hears that a removal does not stand" if act == "turn"
            else f"accepts what the removed device {chr(65 + step[2])} wrote")
    if act in ("deliver", "repeat", "lose"):
        what = {"deliver": "arrives", "repeat": "arrives, and will once more", "lose": "is lost"}
        one, other = before.mail[who][:2]
        return f"a message of {home(one)} to {home(other)} {what[act]}"
    return {
        "copy": f"the disk of {home(who)} is copied",
        "restore": f"the copy is put back at {home(who)}, which notices and begins a new life",
        "rollback": f"the copy is put back at {home(who)}, and nobody notices",
        "clone": f"{home(who)} goes on a second time, as a life of its own",
        "twin": f"{home(who)} goes on a second time, and nobody notices",
        "crash": f"{home(who)} ends and begins again",
    }[act] + (f" in home {step[2]}" if act in ("clone", "twin") else "")


def tell_story(found):
    """All steps of a history that went wrong, and what each home shows at its end."""
    world = World(found.plan)
    lines = []
    for count, step in enumerate(found.steps, 1):
        changed = after(world, step)
        lines.append(f"  {count:2}. {describe(world, step, changed)}")
        world = changed
    lines.append(f"  Then: {found.fault}")
    for number, each in enumerate(world.homes):
        if each.there:
            view = look(world, number)
            lines.append(
                f"      home {number}: shows {names(world, view.shown)}; undecided "
                f"{names(world, view.undecided)}; late {names(world, view.late & each.held)}")
    return "\n".join(lines)
