"""What a home comes to: a function of what lies on its disk, so that order cannot matter."""

from .objects import LIVES, bits, life_bit, lives_of


class Settled:
    """What follows from the settlements of one cut: what it lists, and whom its voters had out."""

    __slots__ = ("shows", "listed", "out", "drops", "under")

    def __init__(self, shows, listed, out, drops):
        self.shows = shows
        self.listed = listed
        self.out = out
        # True when all who promised name a floor at which the item is closed.
        self.drops = drops
        # What the listed ones build on; who showed them passed over what is not listed itself.
        self.under = 0


class View:
    """How a home judges the batches that it holds."""

    __slots__ = (
        "settled", "late", "passed", "barred", "shown", "undecided", "waiting",
        "reach",
    )


def members(world, known):
    """The devices that are in by these records, those lapsed, and the frontiers of those out."""
    active = (1 << world.plan.devices) - 1
    if not known:
        return active, 0, {}
    lapsed = 0
    removals = {}
    turned = set()
    extends = []
    for number in bits(known):
        record = world.records[number]
        if record.kind == "add":
            active |= 1 << record.target
        elif record.kind == "remove":
            removals[number] = record
        elif record.kind == "turn":
            turned.add(record.of)
        elif record.kind == "extend":
            extends.append(record)
        elif record.kind == "lapse":
            lapsed |= 1 << record.target
    for number in bits(known):
        # A return is later than the lapse that it ends.
        record = world.records[number]
        if record.kind == "back":
            lapsed &= ~(1 << record.target)
    out = {}
    for number, record in removals.items():
        if number not in turned:
            out[record.target] = out.get(record.target, 0) | record.frontier
    for record in extends:
        if record.target in out:
            out[record.target] |= record.frontier
    for device in out:
        active &= ~(1 << device)
    return active, lapsed, out


def newest(lives, device):
    """The newest known life of a device as a set, or nothing."""
    own = lives & lives_of(device)
    return 1 << (own.bit_length() - 1) if own else 0


def voters(world, known, lives):
    """The lives that vote on a cut proposed by who knows this."""
    active, lapsed, _ = members(world, known)
    if not world.plan.breaks("lapsed-votes"):
        active &= ~lapsed
    if world.plan.reader >= 0:
        active &= ~(1 << world.plan.reader)
    result = 0
    for device in bits(active):
        # The record that lets a device in may come before any word of the device itself.
        first = 0 if world.plan.breaks("unheard-skipped") else life_bit(device, 0)
        result |= newest(lives, device) or first
    return result


def voids(batch, out):
    """Whether a removal leaves a batch out."""
    return batch.device in out and bool(batch.commit & ~out[batch.device])


def is_closed(world, shows, listed):
    """Whether the item is deleted at a cut, and nothing that counts brings it back."""
    closed = False
    for number in bits(shows | listed):
        kind = world.batches[number].kind
        if kind == "touch":
            return False
        if kind == "close" and shows >> number & 1:
            closed = True
    return closed


def read_settlement(world, cut, chosen):
    """What one settlement says."""
    proposed = world.cuts[cut]
    lists = proposed.shows
    records = proposed.records
    drops = bool(chosen)
    for number in bits(chosen):
        promise = world.promises[number]
        lists |= promise.lists
        records |= promise.records
        drops = drops and promise.closed
    out = members(world, records)[2]
    if not world.plan.breaks("removed-listed"):
        for number in bits(lists & ~proposed.shows):
            if voids(world.batches[number], out):
                lists &= ~(1 << number)
    return Settled(proposed.shows, lists, out, drops and is_closed(world, proposed.shows, lists))


def settled_cuts(world, home):
    """What a home knows to be settled."""
    result = read_settlements(world, home)
    for known in result.values():
        for number in bits(known.listed):
            known.under |= world.batches[number].past
    return result


def read_settlements(world, home):
    """All settlements of a home, one answer for each cut."""
    plan = world.plan
    result = {}
    if plan.breaks("no-settlement"):
        for cut in bits(home.cuts):
            chosen = 0
            for number in bits(home.promises):
                if world.promises[number].cut == cut:
                    chosen |= 1 << number
            if chosen and is_enough(world, cut, chosen, home.lives):
                result[cut] = read_settlement(world, cut, chosen)
        return result
    for number in bits(home.settlements):
        cut, chosen = world.settlements[number]
        said = read_settlement(world, cut, chosen)
        before = result.get(cut)
        if before is None:
            result[cut] = said
        else:
            # A proposer that was put back may have settled twice: only what both list counts.
            together = before.listed & said.listed
            if plan.breaks("any-settlement"):
                together = before.listed | said.listed
            before.listed = together
            before.drops = before.drops and said.drops
            for device, frontier in said.out.items():
                before.out[device] = before.out.get(device, frontier) & frontier
    return result


def asked(world, cut, chosen, lives):
    """The lives whose promises a cut needs: its voters, and whom those had let in or back."""
    wanted = world.cuts[cut].voters
    if world.plan.breaks("newcomers-unasked"):
        return wanted
    while True:
        before = wanted
        for number in bits(chosen):
            promise = world.promises[number]
            # Who is not asked has nobody to add.
            if not promise.remembers & wanted:
                continue
            for place in bits(promise.records & ~world.cuts[cut].records):
                record = world.records[place]
                if record.kind in ("add", "back", "turn") and not wanted & lives_of(record.target):
                    wanted |= newest(lives, record.target) or life_bit(record.target, 0)
        if wanted == before:
            return wanted


def is_enough(world, cut, chosen, lives):
    """Whether these promises settle a cut."""
    plan = world.plan
    wanted = asked(world, cut, chosen, lives)
    given = 0
    count = 0
    remembers = False
    for number in bits(chosen):
        promise = world.promises[number]
        count += 1
        given |= promise.remembers
        remembers = remembers or not promise.fresh
    if not remembers and not plan.breaks("copies-settle"):
        return False
    if plan.breaks("votes-counted"):
        return count >= bin(wanted).count("1")
    if plan.breaks("promises-anew"):
        devices = set(number // LIVES for number in bits(wanted))
        return devices <= set(number // LIVES for number in bits(given))
    return not wanted & ~given


def covers(plan, batch, settled):
    """Whether a batch is built on all of a settled cut, by one that knew what the cut drops."""
    if settled.shows & ~batch.past:
        return False
    return not settled.drops or batch.aware or plan.breaks("floor-unnamed")


def is_below(world, batch, shows):
    """Whether a batch is at or below a cut."""
    if not batch.commit & ~shows:
        return True
    if not world.plan.breaks("sequences-alone"):
        return False
    return any(
        other.device == batch.device and other.life == batch.life and other.seq >= batch.seq
        for other in (world.batches[number] for number in bits(shows)))


def vouched(world, home, cut):
    """What is signed to show by the lives that a cut asks, or by lives that remember one."""
    result = 0
    own = set(bits(home.said))
    known = sum(1 << p for p in bits(home.promises) if world.promises[p].cut == cut)
    lives = asked(world, cut, known, home.lives)
    if world.plan.breaks("any-life-believed"):
        for life in bits(lives):
            lives |= lives_of(life // LIVES)
    for number in bits(home.promises):
        promise = world.promises[number]
        # Its own list was shown when it promised, whether it is asked or not.
        if number in own:
            result |= promise.lists
            continue
        if promise.cut == cut or not world.plan.breaks("words-unheard"):
            if promise.remembers & lives:
                result |= promise.lists
    if not world.plan.breaks("words-unheard"):
        for number in bits(home.cuts):
            if world.cuts[number].remembers & lives:
                result |= world.cuts[number].shows
    return result


def out_by_promises(world, home, cut):
    """Whom the known promises for an open cut have out: what that leaves out may be so for good."""
    if world.plan.breaks("turn-shows"):
        return {}
    records = world.cuts[cut].records
    for number in bits(home.promises):
        if world.promises[number].cut == cut:
            records |= world.promises[number].records
    return members(world, records)[2]
