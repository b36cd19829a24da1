"""Who belongs to a group: steps 1 to 10 of "Evaluating" in docs/protocol.md, by sentence."""

GENESIS, ADD, REMOVE, ROLE, EPOCH, VOTE, EXTEND, SHARE, RECOVERY = range(9)
UNKNOWN, WIPE, RECEIPT = 127, 128, 129
ADMIN, MEMBER, RELAY, READER = range(4)
RANK = {ADMIN: 3, MEMBER: 2, READER: 1, RELAY: 0}


def both(one, other):
    """The scopes that two grants allow; None stands for all."""
    if one is None or other is None:
        return other if one is None else one
    return [scope for scope in one if scope in other]


class Rule:
    """The outcome of a set of records, given as (id, body), parents first."""

    def __init__(self, records):
        self.body = dict(records)
        self.order = sorted(self.body, key=lambda name: (self.body[name][4], name))
        self.ancestors = {}
        for name in self.order:
            self.ancestors[name] = set(self.body[name][5]).union(
                *(self.ancestors[parent] for parent in self.body[name][5]))
        self.standing, self.aside, self.good, self.lost = set(), set(), set(), {}
        # By restriction the votes, and whether it is a fork, when it was judged last.
        self.ballots = {}
        self._choose()

    # What records say.

    def kind(self, name):
        """The kind; of adds and role records in a role that nobody here knows, an unknown one."""
        kind = self.body[name][2]
        return UNKNOWN if kind in (ADD, ROLE) and self.payload(name)[1] not in RANK else kind

    def author(self, name):
        return self.body[name][3]

    def payload(self, name):
        return self.body[name][6]

    def admitted(self, name):
        """The device that a genesis or an add lets in."""
        if self.kind(name) in (GENESIS, ADD):
            return self.payload(name)[0][0][1]
        return None

    def recovery(self, name):
        """The recovery key that a record names."""
        kind, payload = self.kind(name), self.payload(name)
        if kind == RECOVERY:
            return payload[0][0][1]
        return payload[1][0][1] if kind == GENESIS and payload[1] else None

    def target(self, name):
        return self.payload(name)[0] if self.kind(name) in (REMOVE, ROLE) else None

    def restricts(self, name):
        kind = self.kind(name)
        return kind in (REMOVE, RECOVERY) or kind == ROLE and self.payload(name)[1] != ADMIN

    def adds(self, device):
        return [name for name in self.order
                if device in (self.admitted(name), self.recovery(name))]

    def own(self, device):
        return [name for name in self.order if self.author(name) == device]

    def is_key(self, device):
        return any(self.recovery(name) == device and (
            self.kind(name) == GENESIS or name in self.standing) for name in self.order)

    def before(self, one, other):
        return one in self.ancestors[other]

    def beside(self, one, other):
        return one != other and not self.before(one, other) and not self.before(other, one)

    @property
    def devices(self):
        return {self.admitted(name) for name in self.order} - {None}

    # 1. Acceptance.

    def accepts(self, one, other):
        if one == other:
            return True

        def first(names):
            return [name for name in names if not any(self.before(far, name) for far in names)]

        firsts, entries = first(self.own(one)), first(self.adds(one))
        votes = {self.payload(name)[1] for name in self.own(one)
                 if self.kind(name) == VOTE and self.payload(name)[0]}
        return any(
            any(self.before(add, own) for own in firsts) or self.author(add) == one
            or entries and all(self.before(add, entry) for entry in entries)
            or add in votes and self.admitted(add) == other
            for add in self.adds(other))

    # 2. Good.

    def barred(self, x):
        author = self.author(x)
        for name in self.standing:
            by, is_later = self.author(name), not self.before(x, name)
            if self.kind(name) == REMOVE:
                if by == self.target(name):
                    if author == by and self.before(name, x):
                        return True
                elif author == self.target(name) and is_later:
                    return True
                if author in self.lost.get(name, ()) and by != author and is_later:
                    return True
            if self.kind(name) == RECOVERY and by == author and name != x and is_later:
                return True
        return False

    def role(self, device, x=None, is_known=False):
        """The role and scopes there; what the author of x knew of them, by the records before x."""
        seen = [name for name in self.order
                if name in self.good and (x is None or self.before(name, x))]
        ranks = [ADMIN if self.kind(name) == GENESIS else self.payload(name)[1]
                 for name in seen if self.admitted(name) == device]
        if not ranks:
            return None
        role, scopes = max(ranks, key=RANK.get), None
        changes = [name for name in seen if self.kind(name) == ROLE and self.target(name) == device]
        latest = [name for name in changes if not any(self.before(name, far) for far in changes)]
        if latest:
            role = min((self.payload(name)[1] for name in latest), key=RANK.get)
            for name in latest:
                scopes = both(scopes, self.payload(name)[2])
        for name in self.standing if x is not None and not is_known else ():
            if self.kind(name) == ROLE and self.target(name) == device \
                    and self.author(name) != device and self.beside(name, x):
                role = min(role, self.payload(name)[1], key=RANK.get)
                scopes = both(scopes, self.payload(name)[2])
        return role, scopes

    def recovers(self, x):
        return any(
            self.recovery(name) == self.author(x) and self.before(name, x)
            and (self.kind(name) == GENESIS or name in self.standing) for name in self.order)

    def suffices(self, x):
        kind = self.kind(x)
        if kind == GENESIS:
            return True
        if self.recovers(x):
            return kind in (ADD, REMOVE, ROLE, EXTEND, RECOVERY) or 8 < kind < 128
        found = self.role(self.author(x), x)
        if found is None or kind == RECOVERY:
            return False
        if kind == REMOVE and self.target(x) == self.author(x) or kind == VOTE or kind >= 128:
            return True
        if kind == SHARE and self.payload(x)[1] == self.author(x):
            return True
        if kind in (EPOCH, SHARE) and found[1] is not None:
            return False
        wanted = {EPOCH: MEMBER, SHARE: READER}.get(kind, ADMIN)
        return RANK[found[0]] >= RANK[wanted]

    def allowed(self, x):
        return not self.barred(x) and self.suffices(x)

    def _find_good(self):
        self.good = set(self.standing)
        for x in self.order:
            if self.restricts(x) or not self.allowed(x):
                continue
            if self.kind(x) == ADD:
                device = self.admitted(x)
                if self.is_key(device) or any(
                        self.kind(name) == GENESIS or name in self.good and self.before(name, x)
                        for name in self.adds(device)):
                    continue
            self.good.add(x)

    # 6. With, and 7. Members.

    def taken_back(self):
        return {name: {add for add in self.order if self.kind(add) == ADD
                       and self.admitted(add) in [one[0] for one in self.payload(name)[2]]
                       and (self.author(add) == self.target(name)
                            or self.author(add) in self.lost.get(name, ()))}
                for name in self.standing if self.kind(name) == REMOVE}

    def is_admitted(self, device):
        back = set().union(*self.taken_back().values())
        return any(name in self.good and name not in back and self.admitted(name) == device
                   for name in self.order)

    def _settle(self):
        while True:
            self._find_good()
            found = more = False
            while True:
                more = False
                gone = {device for device in self.devices if not self.is_admitted(device)}
                for name, adds in self.taken_back().items():
                    new = {self.admitted(add) for add in adds} & gone - self.lost.get(name, set())
                    if new:
                        self.lost[name] = self.lost.get(name, set()) | new
                        found = more = True
                if not more:
                    break
            if not found:
                return

    def is_member(self, device):
        return self.is_admitted(device) and not any(
            device in self.lost.get(name, ())
            or self.kind(name) == REMOVE and self.target(name) == device for name in self.standing)

    # 3. Votes, 4. Upheld, 5. Choose.

    def forked(self, x):
        return any(
            self.beside(name, x) and not self.barred(name) for name in self.own(self.author(x)))

    def may_vote(self, device):
        return not self.is_key(device) and any(
            self.kind(name) == GENESIS and self.admitted(name) == device
            or self.kind(name) == ADD and self.admitted(name) == device
            and self.payload(name)[1] in (ADMIN, MEMBER)
            or self.kind(name) == ROLE and self.target(name) == device
            and self.payload(name)[1] in (ADMIN, MEMBER) for name in self.order)

    def word(self, name, x):
        """What a record says of a restriction: True, False or None."""
        target, author = self.target(x), self.author(x)

        def mutual(other):
            return target is not None and self.restricts(other) and self.target(other) == author \
                and self.author(other) == target and self.beside(other, x)

        if name == x:
            return True
        if mutual(name):
            return False
        if self.kind(name) != VOTE or self.payload(name)[1] not in self.body:
            return None
        is_for, about = self.payload(name)
        if is_for:
            return True if about == x else False if mutual(about) else None
        same = target is not None and self.restricts(about) and self.target(about) == target \
            and self.author(about) == author
        return False if about == x or same else None

    def votes(self, x):
        yes, no, target = set(), set(), self.target(x)
        for device in {self.author(name) for name in self.order}:
            words = [name for name in self.own(device) if self.word(name, x) is not None
                     and not self.barred(name) and not self.forked(name)]
            if not words or not self.may_vote(device):
                continue
            is_yes = self.word(words[-1], x)
            if target is None:
                (yes if is_yes else no).add(device)
            elif is_yes:
                if self.author(x) == target if device == target else self.accepts(target, device):
                    yes.add(device)
            elif device == target or self.accepts(self.author(x), device):
                no.add(device)
        return yes, no

    def seniority(self, device):
        adds = self.adds(device)
        return self.order.index(adds[0]) if adds else len(self.order)

    def upheld(self, x, yes, no):
        author = self.author(x)
        if self.recovers(x) or self.kind(x) == REMOVE and self.target(x) == author:
            return True
        if self.kind(x) == ROLE and self.target(x) == author:
            now = self.role(author, x)
            if now and RANK[self.payload(x)[1]] < RANK[now[0]]:
                return True
        if self.forked(x) and not yes:
            return False
        if len(yes) != len(no):
            return len(yes) > len(no)
        return not yes or min(yes | no, key=self.seniority) in yes

    def strength(self, x, yes, no):
        author = self.author(x)
        grade = 0 if self.kind(x) == RECOVERY else 1 if self.recovers(x) else \
            2 if self.target(x) == author and self.kind(x) == REMOVE else 3
        return (grade, len(no) - len(yes), -len(yes), self.seniority(author), self.body[x][4], x)

    def _choose(self):
        self._settle()
        while True:
            counted = {}
            for x in self.order:
                if not self.restricts(x) or x in self.standing | self.aside or self.barred(x):
                    continue
                found = self.votes(x)
                self.ballots[x] = (*found, self.forked(x))
                if self.suffices(x) and self.upheld(x, *found):
                    counted[x] = found
            ready = [x for x in counted if not any(
                self.kind(far) == REMOVE and self.target(far) == self.author(x)
                and self.before(far, x) for far in counted)]
            if not ready:
                return
            first = min(ready, key=lambda x: self.strength(x, *counted[x]))
            old = {name: set(one) for name, one in self.lost.items()}, set(self.good)
            self.standing.add(first)
            self._settle()
            has_admin = any(self.is_member(device) and self.role(device)[0] == ADMIN
                            for device in self.devices)
            if not has_admin and not self.recovers(first):
                self.standing.discard(first)
                self.lost, self.good = old
                self.aside.add(first)

    # 8. Epochs, 9. Batches.

    def key_in_force(self):
        replaced = {self.author(name) for name in self.standing if self.kind(name) == RECOVERY}
        for name in reversed(self.order):
            key = self.recovery(name)
            if key and key not in replaced and (
                    self.kind(name) == GENESIS or name in self.standing):
                return key
        return None

    def members(self):
        return {device: self.role(device) for device in self.devices if self.is_member(device)}

    def epochs(self):
        return {name: self.payload(name) if self.kind(name) == EPOCH else self.payload(name)[4]
                for name in self.order if name in self.good and (
                    self.kind(name) == EPOCH or self.kind(name) == REMOVE and self.payload(name)[4])}

    def usable(self):
        """The epochs that all can use, the current one first."""
        members, found, key = self.members(), self.epochs(), self.key_in_force()

        def bound(device):
            """The scopes to which a device that reads is bound."""
            role, scopes = members[device]
            return None if role == RELAY else scopes

        def fits(device, box, scopes):
            if device == key:
                return True
            if device not in members:
                return False
            if len(box) <= 80:
                return True
            if bound(device) is None:
                return members[device][0] != RELAY and len(box) <= 112
            return scopes is not None and set(scopes) <= set(bound(device)) \
                and len(box) in [80 + 48 * count for count in range(1, len(scopes) + 1)]

        def right(device, boxes):
            given = [(len(box), scopes) for to, box, scopes in boxes if to == device]
            if bound(device) is None:
                size = 80 if members[device][0] == RELAY else 112
                return bool(given) and given[0][0] == size
            return any(size == 80 + 48 * len(bound(device)) and scopes == bound(device)
                       for size, scopes in given)

        usable = []
        for name, epoch in found.items():
            boxes = [(device, box, None) for device, box in epoch[3]]
            boxes += [self._box(one)[:1] + self._box(one)[2:] for one in self.order
                      if one in self.good and self._box(one)[1] == name]
            holders = {device for device, _, _ in boxes}
            is_bad = any(
                name in (other[5] if len(other) > 5 else []) and self.author(far) in members
                and self.author(far) in holders for far, other in found.items())
            is_bad = is_bad or any(
                self.kind(far) == SHARE and self.payload(far)[:2] == [name, self.author(far)]
                and self.author(far) in members and self.author(far) in holders
                for far in self.good)
            if not is_bad and all(fits(*box) for box in boxes) \
                    and all(right(device, boxes) for device in members):
                usable.append(name)
        return sorted(usable, key=lambda name: (-found[name][0], name))

    def _box(self, name):
        """The device, the epoch, the box, and the scopes its author knew the device to have."""
        payload = self.payload(name)
        if self.kind(name) == ADD:
            return self.admitted(name), payload[2], payload[3], None
        if self.kind(name) == SHARE and payload[1] != self.author(name):
            known = self.role(payload[1], name, True)
            return payload[1], payload[0], payload[2], known and known[1]
        return None, None, b"", None

    def counts(self, device):
        """"all", "none", or the batches that heads name."""
        writes = self.is_member(device) and self.role(device)[0] in (ADMIN, MEMBER)
        scopes = self.role(device)[1] if writes else None
        if writes and scopes is None:
            return "all"
        wrote = any(
            name in self.good and (
                self.kind(name) == GENESIS and self.admitted(name) == device
                or self.kind(name) == ADD and self.admitted(name) == device
                and self.payload(name)[1] in (ADMIN, MEMBER)
                or self.kind(name) == ROLE and self.target(name) == device
                and self.payload(name)[1] in (ADMIN, MEMBER)) for name in self.order)
        if not wrote or self.role(device) is None:
            return "none"
        heads = set()
        for name in self.good:
            kind, payload = self.kind(name), self.payload(name)
            named = []
            if kind == REMOVE and payload[0] == device and self.author(name) == device and (
                    self.role(device, name, True) or (None, None))[1] is not None:
                # It would vouch for what it wrote in other scopes.
                named = []
            elif kind == REMOVE:
                named = payload[3] if payload[0] == device else next(
                    (one[1] for one in payload[2] if one[0] == device), [])
            elif kind == ROLE and self.restricts(name) and payload[0] == device:
                named = payload[3] or []
            elif kind == EXTEND and payload[0] == device:
                named = payload[1]
            heads.update(tuple(head) for head in named)
        return (scopes, sorted(heads)) if writes else sorted(heads)

    # 10. Unknown kinds.

    def freezing(self):
        """The records for which admission and rotation wait."""
        def is_critical(name):
            kind = self.kind(name)
            return kind == GENESIS and bool(self.payload(name)[2]) \
                or 8 < kind < 128
        return {name for name in self.good if is_critical(name) and (
            self.author(name) == self.key_in_force() or self.is_member(self.author(name))
            and self.role(self.author(name))[0] == ADMIN)}
