"""One attack on who belongs to a group, and on what those read who do not."""

import time

from cbor import encode
from devices import admit
from insider import ADD, REMOVE, Insider, Talk, stored
from saboteur import ACK, BATCH, HAVE, HELLO, Chain, body, operation
from scene import Scene

OPEN = {HELLO, ACK, BATCH}


class GroupScene(Scene):
    """`laptop`, which founded the group, and `phone` are honest; `tablet` is an admin, and then in
    other hands."""

    def prepare(self):
        self.laptop.call("init", "--name", "laptop", "--kind", "laptop")
        self.laptop.run()
        for newcomer in (self.phone, self.tablet):
            admit(self.laptop, newcomer, peer=self.laptop.address)
        self.tablet.call("set", "medication/early", "name=early")
        for _ in range(2):
            for device in (self.tablet, self.phone):
                device.attempt("sync", "--peer", self.laptop.address, "--timeout", "30")
        self.who = Insider(self.tablet.home)
        self.before_it = list(self.who.heads)
        self.meds = self.who.scope("meds")
        self.ids = {
            one["name"]: one["device"] for one in self.laptop.status()["devices"]}

    # What the honest do, and show.

    def out(self):
        """Removes the tablet, and tells the phone; the tablet knows what all know."""
        self.laptop.call("remove", "tablet", "--reason", "lost")
        self.told()

    def give(self, role):
        self.laptop.call("role", "tablet", role)
        self.told()

    def bind(self, *scopes, role="member"):
        """Binds the tablet to scopes, and lets it hear of that."""
        self.laptop.call("role", "tablet", role, "--scopes", ",".join(scopes))
        self.told()

    def told(self):
        self.sync()
        self.sync()
        self.who.learn(self.laptop.home)

    def roles(self, device=None):
        return {one["device"]: one["role"] for one in (device or self.laptop).status()["devices"]}

    def belongs(self, device):
        return device.hex() in self.roles()

    def expect(self, held, sentence, detail=""):
        return self.report.case(held, sentence, str(detail)[:400])

    def expect_group(self, *names):
        """Laptop and phone agree that these devices, by their names, belong to the group."""
        self.sync()
        wanted = {self.ids[name] for name in names}
        for device in (self.laptop, self.phone):
            found = set(self.roles(device))
            self.expect(
                found == wanted, f"{device.name}: {', '.join(names)} are the group",
                f"{len(found)} devices: {sorted(one[:8] for one in found)}")

    def shows(self, record):
        return record in (self.laptop.records() or {})

    def late(self):
        return self.laptop.attempt("late").objects

    # What the attacker does.

    def talk(self):
        return Talk(self.who, self.laptop.own_port)

    def tell(self, *records, heads=None, seconds=8):
        """Tells the laptop records, as a device that may be out; what it heard."""
        self.bytes += sum(len(record) for record in records)
        talk = self.talk()
        talk.tell(records, heads)
        talk.listen(seconds)
        talk.close()
        return talk

    def own_chain(self):
        """The chain that the tablet wrote before, to go on with."""
        scope, life, seq, head = stored(
            self.laptop.home, "SELECT scope, incarnation, stored, head FROM chains"
            " WHERE device = ? AND scope = ?", self.who.device, self.meds)[0]
        chain = Chain(self.who, scope, life)
        chain.seq, chain.head = seq, head
        return chain

    def late_batches(self, count=1, record="late", stamp=None):
        """Batches that go on the tablet's own chain, and the line that lists them."""
        chain = self.own_chain()
        batches = [
            chain.batch(body([operation(f"{record}{index}", 1, 1, "x")], stamp=stamp))
            for index in range(count)]
        return batches, [[[chain.scope, [[chain.author, chain.seq, chain.head[:8]]]]]]

    def hand_over(self, batches, listing, seconds=6):
        """Lists what the tablet wrote, and sends it when it is asked for."""
        talk = self.talk()
        talk.tell([])
        talk.listen(1)
        talk.say(HAVE, encode(listing))
        talk.listen(2)
        for content in batches if talk.asked else []:
            self.bytes += len(content)
            talk.say(BATCH, content)
        talk.say(HAVE, encode([[]]))
        talk.listen(seconds)
        talk.close()
        return talk

    def admits_of(self, device):
        return [name for name, one in self.who.bodies.items()
                if one[2] == ADD and one[6][0][0][1] == device]

    def removal(self):
        """The record by which the tablet is out."""
        return next(name for name, one in self.who.bodies.items()
                    if one[2] == REMOVE and one[6][0] == self.who.device)

    def newest_epochs(self, count=1):
        """The epochs under which the laptop wrote last."""
        mine = [row for row in self._batches("laptop") if row[1] == self.meds]
        return [row[5] for row in mine[-count:]]

    def batches_of(self, name, epoch):
        """The batches of a device under an epoch that the laptop holds, as `opens` takes them."""
        return [row[1:] for row in self._batches(name) if row[5] == epoch]

    def sealed_since(self, epochs, scope, names=("laptop", "phone")):
        """The batches of a scope that devices wrote under other epochs than some."""
        return [(name, *row[1:]) for name in names for row in self._batches(name)
                if row[1] == scope and row[5] not in epochs]

    def epochs_of(self, scope, but):
        """The epochs under which a scope was written to, less some."""
        return {row[5] for row in self.sealed_since(but, scope)}

    @staticmethod
    def now():
        return int(time.time() * 1000)

    def _batches(self, name):
        rows = stored(
            self.laptop.home, "SELECT c.scope, c.incarnation, b.key, b.prev, b.epoch, b.nonce,"
            " b.ciphertext FROM batches b JOIN chains c ON b.key >> 40 = c.number"
            " WHERE c.device = ?", bytes.fromhex(self.ids[name]))
        made = [(key & (1 << 40) - 1, scope, life, key & (1 << 40) - 1, prev, epoch, *rest)
                for scope, life, key, prev, epoch, *rest in rows]
        return sorted(made, key=lambda row: row[0])
