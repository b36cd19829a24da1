"""An attacker who has seen the pairing address and so gets into the channel, and what it says."""

import base64
import hashlib
import os
import struct
import urllib.parse

from attacks_pairing import Showing
from noise import PRIME, Initiator
from wire import PAIR_BY_TICKET, frame, preface

# The points of low order of Curve25519, also in their forms above the prime (RFC 7748 section 6.1).
EIGHTH = 325606250916557431795983626356110631294008115727848805560023387167927233504
OTHER_EIGHTH = 39382357235489614581723060781553021112529911719440698176882885853963445705823
LOW_ORDER = [number.to_bytes(32, "little") for number in (
    0, 1, EIGHTH, OTHER_EIGHTH, PRIME - 1, PRIME, PRIME + 1)]

PAIR_HELLO, PAIR_WELCOME, PAIR_DONE, BATCH = 0x30, 0x31, 0x32, 0x13

# Bodies that no deterministic CBOR decoder may take, or take long for.
BOMBS = {
    "deep nesting": b"\x81" * 4000,
    "a list of four billion": bytes.fromhex("9affffffff"),
    "lists of four billion in each other": bytes.fromhex("9affffffff") * 700,
    "a string of four billion bytes": bytes.fromhex("5affffffff"),
    "a text of 2^63 bytes": bytes.fromhex("7b7fffffffffffffff"),
    "an endless list": bytes.fromhex("9f01ff"),
    "a tag": bytes.fromhex("c000"),
    "a longer integer than needed": bytes.fromhex("851800") + bytes(4),
    "no number": bytes.fromhex("85fb7ff8000000000000"),
    "text that is not UTF-8": bytes.fromhex("8562c328"),
    "a key twice": bytes.fromhex("85a201000100"),
    "nothing at all": b"",
    "more bytes after the end": bytes.fromhex("80ffff"),
}


class Insider:
    """A link to a device that shows a ticket, through the handshake."""

    def __init__(self, showing):
        self.showing = showing
        query = urllib.parse.parse_qs(showing.sight["uri"].split("?", 1)[1])
        secret = base64.urlsafe_b64decode(query["s"][0] + "=")
        self.link = showing.stranger()
        mine = preface(PAIR_BY_TICKET)
        self.link.send(mine)
        self.link.read(24)
        psk = hashlib.blake2b(b"linnet/pair/qr/1", key=secret, digest_size=32).digest()
        self.noise = Initiator(b"linnet/noise/1" + mine + self.link.received[:24], psk)

    def enter(self):
        """Completes the handshake; whether the device answered."""
        self.link.send(frame(self.noise.first()))
        if not self.link.read(24 + 98):
            return False
        self.noise.second(self.link.received[26:122])
        self.link.send(frame(self.noise.third()))
        return True

    def say(self, plaintext):
        self.link.send(frame(self.noise.sending.encrypt(b"", plaintext)))


def with_insider(ward, showing, sentence, attack, bytes_allowed=None):
    """One attack on a fresh ticket: it must end in a closed link."""
    if not showing.show():
        return ward.report.case(False, sentence, f"no ticket: {showing.offer.complaint()}")
    insider = Insider(showing)
    with insider.link:
        attack(insider)
        closed = insider.link.is_closed(9)
        count = len(insider.link.received)
    showing.offer.kill()
    fits = bytes_allowed is None or count == bytes_allowed
    return ward.report.case(closed and fits, sentence, f"closed {closed}, {count} bytes came back")


def low_order_points(ward, showing):
    for number, point in enumerate(LOW_ORDER):
        with_insider(
            ward, showing, f"low-order point {number} as an ephemeral key ends the link",
            lambda insider: insider.link.send(frame(insider.noise.first(public=point))), 24)

        def as_static(insider):
            insider.link.send(frame(insider.noise.first()))
            insider.link.read(122)
            insider.noise.second(insider.link.received[26:122])
            insider.link.send(frame(insider.noise.third(public=point)))
        with_insider(
            ward, showing, f"low-order point {number} as a static key ends the link",
            as_static, 122)


def message(kind, body, flags=0):
    return bytes([flags, kind]) + body


def inside(*plaintexts):
    def attack(insider):
        insider.enter()
        for plaintext in plaintexts:
            insider.say(plaintext)
    return attack


def messages(ward, showing):
    """What is illegal inside the channel, before anybody is a member."""
    greeted = []

    def greet(insider):
        insider.enter()
        greeted.append(insider.link.read(123))
        insider.say(message(PAIR_HELLO, b""))
    with_insider(ward, showing, "an empty greeting ends the session", greet)
    ward.report.case(greeted == [True], "canary: the device greets whoever has the secret")
    for what, body in BOMBS.items():
        with_insider(
            ward, showing, f"a greeting that holds {what} ends the session",
            inside(message(PAIR_HELLO, body)))
    part = os.urandom(65000)
    illegal = {
        "an unknown type": [message(0x55, b"\x80")],
        "a batch from a stranger": [message(BATCH, b"\x80")],
        "a welcome before the greeting": [message(PAIR_WELCOME, b"\x82" + bytes(2))],
        "a confirmation before the greeting": [message(PAIR_DONE, b"\x81\0")],
        "an unknown flag": [message(PAIR_HELLO, b"\x80", flags=0x82)],
        "an empty plaintext": [b""],
        "a fragment of another type": [message(PAIR_HELLO, b"\x80", 1), message(BATCH, b"\x80")],
        "a CLOSE of three bytes": [message(0x7F, bytes(3))],
        "18 fragments": [message(PAIR_HELLO, b"\x80", 1)] * 18,
        "more than 1 MiB": [message(PAIR_HELLO, part, 1)] * 17,
    }
    for what, plaintexts in illegal.items():
        with_insider(ward, showing, f"{what} ends the session", inside(*plaintexts))

    def short_frame(insider):
        insider.enter()
        insider.link.send(frame(bytes(15)))
    with_insider(ward, showing, "a frame shorter than a tag ends the session", short_frame)

    def bad_tag_first(insider):
        insider.enter()
        hello = insider.noise.sending.encrypt(b"", message(PAIR_HELLO, b"\x80"))
        insider.link.send(frame(hello[:-1] + bytes([hello[-1] ^ 1])) + frame(hello))
    with_insider(
        ward, showing, "a wrong tag ends the session though the right one follows", bad_tag_first)
    with_insider(
        ward, showing, "a first message that is promised and does not come ends the link",
        lambda insider: insider.link.send(struct.pack(">H", 48)), 24)


def ticket(ward):
    showing = Showing(ward, "ticket")
    low_order_points(ward, showing)
    messages(ward, showing)
    alive = showing.device.node.process.poll() is None
    ward.report.case(alive, "the device that showed the tickets lives", "it ended")
    showing.close()
