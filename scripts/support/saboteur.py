"""An admitted device in the hands of somebody who says whatever its keys can sign.

It reads the keys and the membership of a real home, and speaks docs/protocol.md by itself.
"""

import os
import socket
import sqlite3
import struct
import time
import zlib

from cbor import Raw, decode, encode
from noise import Initiator
from sodium import (
    Signer, blake, box_open, chacha_open, chacha_seal, kdf, xchacha_open, xchacha_seal)
from wire import frame, preface

HEADS, GET, RECORDS, HELLO, HAVE, NEED, BATCH, ACK = 1, 2, 3, 0x10, 0x11, 0x12, 0x13, 0x14
FORK, CERTIFICATE, PING, PONG, CLOSE = 0x15, 0x17, 0x22, 0x23, 0x7F
REKEY_MESSAGES = 65_536
FRAGMENT = 65_535 - 16 - 2


def padme(size):
    exponent = size.bit_length() - 1
    mask = (1 << exponent - exponent.bit_length()) - 1
    return size + mask & ~mask


class Identity:
    """The keys of a home without a passphrase, and what its group's records say."""

    def __init__(self, home):
        data = next(path for path in home.iterdir() if path.stat().st_size == 274).read_bytes()
        content = xchacha_open(data[34:66], data[66:90], data[90:242], data[:90])
        self.signer = Signer(content[8:40])
        self.noise, self.seal, self.device = content[40:72], content[72:104], self.signer.public
        store = sqlite3.connect(home / "store.sqlite")
        self.records = [row[0] for row in store.execute("SELECT bytes FROM members ORDER BY number")]
        store.close()
        self._read_records()

    def _read_records(self):
        self.bodies, self.heads = {}, []
        boxes, epochs, parents = {}, {}, set()
        for record in self.records:
            body = decode(record)[0]
            name = blake(b"linnet/member-id/1" + encode(body))
            self.bodies[name] = body
            parents |= set(body[5])
            if body[2] == 0:
                self.group = name
            if body[2] == 1 and body[6][0][0][1] == self.device:
                boxes[body[6][2]] = body[6][3]
            if body[2] == 4:
                epochs[name] = body[6]
                boxes.update({name: box for device, box in body[6][3] if device == self.device})
        self.heads = sorted(set(self.bodies) - parents)
        self.lamport = max(body[4] for body in self.bodies.values())
        self.epoch = max(boxes, key=lambda name: epochs[name][0])
        self.keys = {}
        for name, box in boxes.items():
            opened = box_open(box, self.seal)
            self.keys[name] = (opened[:32], opened[32:])
        first = min(epochs, key=lambda name: (epochs[name][0], name))
        self.first_data_key = self.keys[first][1] if first in self.keys else self._unwrap(
            first, epochs)

    def _unwrap(self, wanted, epochs):
        for name, (_, data_key) in self.keys.items():
            for earlier, nonce, wrapped in epochs[name][4]:
                if earlier == wanted:
                    return xchacha_open(
                        kdf(data_key, "linnet/wrap/1"), nonce, wrapped,
                        self.group + epochs[name][2] + earlier)
        raise LookupError("the keys of the first epoch")

    def scope(self, name):
        return blake(name.encode(), 16, kdf(self.first_data_key, "linnet/scope/1"))

    def record(self, kind, payload, parents=None, lamport=None):
        """A membership record above all others, whatever it says; the next one follows it."""
        self.lamport = lamport or self.lamport + 1
        body = encode([1, self.group, kind, self.device, self.lamport,
                       parents or self.heads, payload])
        if parents is None:
            self.heads = [blake(b"linnet/member-id/1" + body)]
        return encode([Raw(body), self.signer.sign(b"linnet/member/1" + body)])

    def certificate(self):
        return next(
            body[6][0] for body in self.bodies.values()
            if body[2] == 1 and body[6][0][0][1] == self.device)


class Chain:
    """The batches of one life of the device in one scope, each after the one before."""

    def __init__(self, who, scope, life=None):
        self.who, self.scope = who, scope
        self.life = life or os.urandom(8)
        self.author = blake(b"linnet/author/1" + who.device + self.life, 16)
        self.key = kdf(who.keys[who.epoch][1], "linnet/batch-key/1", self.author + scope)
        self.seq, self.head = 0, bytes(32)

    def batch(self, plaintext, seq=None, prev=None, device=None):
        """The body of a `batch` message; with `seq` or `prev` one that stands elsewhere."""
        if seq is None and prev is None:
            self.seq += 1
        at, before = seq or self.seq, prev if prev is not None else self.head
        nonce = os.urandom(24)
        header = encode([1, self.who.group, device or self.who.device, self.life, self.scope, at,
                         before, self.who.epoch, nonce])
        sealed = xchacha_seal(self.key, nonce, plaintext, header)
        name = blake(b"linnet/batch-id/1" + header + blake(sealed))
        if seq is None and prev is None:
            self.head = name
        return encode([0, header, sealed, self.who.signer.sign(b"linnet/batch/1" + name)])


def body(operations, attributes=None, stamp=None):
    """The plaintext of a batch in rows, compressed and padded."""
    stamp = stamp if stamp is not None else int(time.time() * 1000) << 16
    content = encode([
        {4: 1, 5: stamp, **(attributes or {})}, Raw(encode_all(operations))])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    plain = bytes([0, 1]) + struct.pack(">I", len(content)) + packed
    return plain + bytes(padme(len(plain)) - len(plain))


def encode_all(operations):
    """An array of items that are encoded already."""
    return encode([0] * len(operations))[:-len(operations) or None] + b"".join(operations)


def operation(record, field, kind, payload, collection=1000, generation=1, delta=0):
    return encode([collection, record, generation, field, kind, delta, payload])


class Session:
    """A session with a device, opened by hand."""

    def __init__(self, who, port, seconds=20):
        self.who, self.credit, self.sent = who, 4 << 20, 0
        self.out = self.in_ = 0
        self.ended, self.heard, self._data = None, [], b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        own = preface()
        self.socket.sendall(own)
        other = self._read(24)
        psk = kdf(who.keys[who.epoch][0], "linnet/psk/1", who.group)
        noise = Initiator(b"linnet/noise/1" + own + other, psk, static=who.noise)
        self.socket.sendall(frame(noise.first()))
        noise.second(self._read(self._length()))
        self.socket.sendall(frame(noise.third()))
        self.keys = [noise.sending.key, noise.receiving.key]

    def _read(self, count):
        while len(self._data) < count:
            data = self.socket.recv(1 << 20)
            if not data:
                raise EOFError("the device closed the link")
            self._data += data
        taken, self._data = self._data[:count], self._data[count:]
        return taken

    def _length(self):
        return int.from_bytes(self._read(2), "big")

    def _rekeyed(self, key):
        return chacha_seal(key, bytes(4) + b"\xff" * 8, bytes(32), b"")[:32]

    def _write(self, plain):
        nonce = bytes(4) + struct.pack("<Q", self.out)
        self.socket.sendall(frame(chacha_seal(self.keys[0], nonce, plain, b"")))
        self.out += 1
        if self.out % REKEY_MESSAGES == 0:
            self.keys[0] = self._rekeyed(self.keys[0])

    def say(self, kind, body):
        """Sends a message; false once the device has closed."""
        try:
            while len(body) > FRAGMENT:
                self._write(bytes([1, kind]) + body[:FRAGMENT])
                body = body[FRAGMENT:]
            self._write(bytes([0, kind]) + body)
            return True
        except OSError as problem:
            self.ended = self.ended or str(problem)
            return False

    def open(self, hello=None, have=None):
        """Proves the membership, and greets."""
        self.say(HEADS, encode(self.who.heads))
        self.say(HELLO, encode(hello or {
            0: os.urandom(8), 1: int(time.time() * 1000), 2: 1}))
        self.say(HAVE, encode(have if have is not None else [[]]))
        return self

    def listen(self, seconds):
        """Reads what comes within the time; answers what a member must."""
        deadline = time.monotonic() + seconds
        while self.ended is None and time.monotonic() < deadline:
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                self._hear(self._read(self._length()))
            except TimeoutError:
                break
            except (OSError, EOFError) as problem:
                self.ended = str(problem)
        self.socket.settimeout(20)

    def _hear(self, sealed):
        nonce = bytes(4) + struct.pack("<Q", self.in_)
        plain = chacha_open(self.keys[1], nonce, sealed, b"")
        self.in_ += 1
        if self.in_ % REKEY_MESSAGES == 0:
            self.keys[1] = self._rekeyed(self.keys[1])
        while plain[0] == 2:
            length, head = plain[2], 3
            if length >= 0x80:
                length, head = length & 0x7F | plain[3] << 7, 4
            self._take(plain[1], plain[head:head + length])
            plain = plain[head + length:]
        if plain[0] == 0:
            self._take(plain[1], plain[2:])

    def _take(self, kind, content):
        if kind == CLOSE:
            self.ended = f"close {int.from_bytes(content, 'big')}"
        elif kind == ACK:
            ack = decode(content)
            if isinstance(ack[-1], int):
                self.credit = max(self.credit, ack[-1])
        elif kind == PING:
            self.say(PONG, content)
        self.heard.append((kind, len(content)))

    def send_batches(self, batches, seconds=120):
        """Sends batches as credit allows; how many went out."""
        deadline = time.monotonic() + seconds
        for number, content in enumerate(batches):
            while self.sent + len(content) > self.credit and self.ended is None:
                if time.monotonic() > deadline:
                    return number
                self.listen(0.2)
            if not self.say(BATCH, content):
                return number
            self.sent += len(content)
        return None

    def settle(self, seconds=240):
        """Waits until the device has read all that was said; whether it did."""
        before = sum(1 for kind, _ in self.heard if kind == PONG)
        self.say(PING, encode(bytes(8)))
        deadline = time.monotonic() + seconds
        while self.ended is None and time.monotonic() < deadline:
            self.listen(1)
            if sum(1 for kind, _ in self.heard if kind == PONG) > before:
                return True
        return False

    def close(self):
        self.socket.close()
