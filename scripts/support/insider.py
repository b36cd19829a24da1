"""A device that belongs to a group or did, in the hands of somebody who knows every record."""

import os
import shutil
import sqlite3
import tempfile

from cbor import Raw, decode, encode
from saboteur import HEADS, NEED, RECORDS, Chain, Identity, Session
from sodium import Refused, Signer, blake, box_open, kdf, x25519_public, xchacha_seal

ADD, REMOVE, ROLE, EPOCH, VOTE, EXTEND, SHARE = 1, 2, 3, 4, 5, 6, 7
ADMIN, MEMBER, RELAY, READER = 0, 1, 2, 3


def stored(home, query, *values):
    """The rows that a home's database has, of a copy: a running node lets nobody read."""
    with tempfile.TemporaryDirectory() as copy:
        for path in home.glob("store.sqlite*"):
            shutil.copy(path, copy)
        store = sqlite3.connect(f"{copy}/store.sqlite")
        try:
            return store.execute(query, values).fetchall()
        finally:
            store.close()


def name_of(body):
    return blake(b"linnet/member-id/1" + encode(body))


class Insider(Identity):
    """The keys of a home, whatever role they have, and all records that it was told."""

    def learn(self, home):
        """Takes in the records that another home holds."""
        self.records = [row[0] for row in stored(home, "SELECT bytes FROM members ORDER BY number")]
        self._read_records()

    def _read_records(self):
        bodies = [decode(record)[0] for record in self.records]
        self.bodies = {name_of(body): body for body in bodies}
        self.group = next(name for name, body in self.bodies.items() if body[2] == 0)
        parents = {parent for body in bodies for parent in body[5]}
        self.heads = sorted(set(self.bodies) - parents)
        self.lamport = max(body[4] for body in bodies)
        self.epochs = {}
        boxes = []
        for name, body in self.bodies.items():
            kind, payload = body[2], body[6]
            epoch = {EPOCH: payload, REMOVE: payload[4] if kind == REMOVE else None}.get(kind)
            if epoch:
                self.epochs[name] = epoch
                boxes += [(name, box) for device, box in epoch[3] if device == self.device]
            if kind == ADD and payload[0][0][1] == self.device:
                boxes.append((payload[2], payload[3]))
            if kind == SHARE and payload[1] == self.device:
                boxes.append((payload[0], payload[2]))
        self.keys, self.network, self.roots = {}, {}, {}
        for epoch, box in boxes:
            try:
                opened = box_open(box, self.seal)
            except Refused:
                continue
            self.network[epoch] = opened[:32]
            if len(opened) == 64:
                self.keys[epoch] = (opened[:32], opened[32:])
            elif len(opened) > 64:
                # A box for a device that is bound to scopes: roots and their keys.
                self.roots[epoch] = {
                    opened[at:at + 16]: opened[at + 16:at + 48]
                    for at in range(32, len(opened), 48)}
        self.epoch = max(self.keys, key=lambda name: self.epochs[name][0])
        first = min(self.epochs, key=lambda name: (self.epochs[name][0], name))
        self.first_data_key = self.keys[first][1] if first in self.keys else self._unwrap(
            first, self.epochs)

    def root_key(self, epoch, root):
        """The key of a root in an epoch; None where neither a box nor a data key gives it."""
        if epoch in self.keys:
            return kdf(self.keys[epoch][1], "linnet/scope-key/1", root)
        return self.roots.get(epoch, {}).get(root)

    @property
    def all_keys(self):
        """Everything that its boxes ever held, and all roots that it knows."""
        keys = [key for pair in self.keys.values() for key in pair] + list(self.network.values())
        return keys + [key for roots in self.roots.values() for key in roots.values()]

    def bound_epoch(self):
        """The newest epoch of which it has a box for scopes."""
        return max(self.roots, key=lambda name: self.epochs[name][0])

    def before(self, parents):
        """Some records and all before them."""
        found, left = set(), list(parents)
        while left:
            name = left.pop()
            if name in self.bodies and name not in found:
                found.add(name)
                left += self.bodies[name][5]
        return found

    def sign(self, kind, payload, parents=None):
        """A record on some others, on all heads unless said otherwise; its name and bytes."""
        parents = sorted(parents or self.heads)
        lamport = 1 + max(self.bodies[parent][4] for parent in parents)
        body = [1, self.group, kind, self.device, lamport, parents, payload]
        name = name_of(body)
        self.bodies[name] = body
        if kind in (EPOCH, REMOVE):
            self.epochs[name] = payload if kind == EPOCH else payload[4]
        self.heads = sorted(set(self.heads) - set(parents) | {name})
        content = encode(body)
        return name, encode([Raw(content), self.signer.sign(b"linnet/member/1" + content)])

    def new_epoch(self, devices, parents=None):
        """The content of an epoch with a box for each of some devices, none of which opens."""
        held = self.before(parents or self.heads)
        number = 1 + max((self.epochs[name][0] for name in held if name in self.epochs), default=0)
        boxes = sorted([device, os.urandom(112)] for device in devices)
        return [number, os.urandom(32), os.urandom(32), boxes, []]

    def remove(self, device, others, parents=None):
        return self.sign(
            REMOVE, [device, 0, [], [], self.new_epoch(others, parents)], parents)

    def admit(self, certificate, role=ADMIN, parents=None):
        return self.sign(ADD, [certificate, role, self.epoch, os.urandom(112)], parents)

    @property
    def admission(self):
        """The record that let it in."""
        return next(
            name for name, body in self.bodies.items()
            if body[2] == ADD and body[6][0][0][1] == self.device)


def stranger():
    """The certificate of a device that nobody has, and its name."""
    signer = Signer(os.urandom(32))
    inner = [1, signer.public, x25519_public(os.urandom(32)), x25519_public(os.urandom(32)), 1]
    return [inner, signer.sign(b"linnet/cert/1" + encode(inner))], signer.public


class RootChain(Chain):
    """Batches of format 2, sealed by the key of a root; with another key or root, forged ones."""

    def __init__(self, who, scope, epoch, root=None, key=None, life=None):
        self.who, self.scope, self.epoch = who, scope, epoch
        self.root, self.life = root or scope, life or os.urandom(8)
        self.author = blake(b"linnet/author/1" + who.device + self.life, 16)
        key = key or who.root_key(epoch, self.root)
        self.key = kdf(key, "linnet/batch-key/2", self.author + scope)
        self.seq, self.head = 0, bytes(32)

    def batch(self, plaintext):
        """The body of a `batch` message, behind the batch before."""
        self.seq += 1
        nonce = os.urandom(24)
        header = encode([2, self.who.group, self.who.device, self.life, self.scope, self.seq,
                         self.head, self.epoch, nonce, self.root])
        sealed = xchacha_seal(self.key, nonce, plaintext, header)
        self.head = blake(b"linnet/batch-id/1" + header + blake(sealed))
        return encode([
            0, header, sealed, self.who.signer.sign(b"linnet/batch/1" + self.head)])


class Talk(Session):
    """A session by hand that keeps what it hears."""

    def __init__(self, who, port):
        self.contents = []
        super().__init__(who, port)

    def _take(self, kind, content):
        self.contents.append((kind, content))
        super()._take(kind, content)

    @property
    def kinds(self):
        return {kind for kind, _ in self.contents}

    @property
    def asked(self):
        """The ranges that it was asked for."""
        return [part for kind, content in self.contents if kind == NEED for part in decode(content)]

    def tell(self, records, heads=None):
        """Says records, and then heads."""
        for start in range(0, len(records), 200):
            page = [Raw(record) for record in records[start:start + 200]]
            self.say(RECORDS, encode([self.who.group, page]))
        self.say(HEADS, encode(sorted(heads if heads is not None else self.who.heads)))
