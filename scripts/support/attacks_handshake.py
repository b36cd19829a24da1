"""Altered, reordered and replayed bytes between two real members."""

import os

from attempts import happens
from relay import TO_INITIATOR, TO_RESPONDER, honest
from wire import frame, preface

# Bytes of the handshake, unit by unit: preface, then frames with their two bytes of length.
UNITS = [(TO_RESPONDER, 0, 24), (TO_INITIATOR, 0, 24), (TO_RESPONDER, 1, 50),
         (TO_INITIATOR, 1, 98), (TO_RESPONDER, 2, 66)]
NAMES = {TO_RESPONDER: "initiator", TO_INITIATOR: "responder"}
CLOSE_SECONDS = 6
# Said by a device of a session in which a frame did not open.
BROKEN = "the protocol was broken"


def only(direction, index, alter):
    """An attack on one unit."""
    def attack(at_direction, at_index, unit):
        hit = at_direction == direction and at_index == index
        return alter(unit) if hit else [unit]
    return attack


def flipped(unit, offset, bit):
    altered = bytearray(unit)
    altered[offset] ^= 1 << bit
    return bytes(altered)


def dial(ward, attack):
    """One dial of a real member through the relay; the link, once both ends have closed it."""
    ward.relay.begin(attack)
    before = ward.connections()
    member = ward.tablet.talk("sync", "--peer", ward.relay.address, "--timeout", "20")
    try:
        if not happens(lambda: ward.relay.links, 10, pause=0.01):
            return None, "the member did not dial"
        link = ward.relay.links[0]
        over = link.is_over(CLOSE_SECONDS)
        if ward.connections() != before:
            return link, "the attacked device opened a session"
        if member.process.poll() == 0:
            return link, "the dialling member opened a session"
        return link, None if over else "the link stayed open"
    finally:
        member.kill()
        for link in ward.relay.links:
            link.abandon()


def flip_bits(ward, random, all_bits):
    """Every byte of every handshake message: no session, a clean close, no telling byte."""
    before = ward.connections()
    _, honestly = dial(ward, honest)
    # Its event may come a little later, and must not be taken for that of a flip.
    seen = happens(lambda: ward.connections() > before, CLOSE_SECONDS)
    ward.report.case(honestly and seen, "canary: a session over the same way without a flip is found")
    flips = 0
    for direction, index, size in UNITS:
        wrong = []
        for offset in range(size):
            for bit in range(8) if all_bits else [random.randrange(8)]:
                flips += 1
                link, problem = dial(
                    ward, only(direction, index, lambda u: [flipped(u, offset, bit)]))
                # The responder answers the preface, and message 1, and nothing else; what it says
                # to a message that was altered before is nothing.
                allowed = 24 if index < 2 and (direction, index) != (TO_INITIATOR, 1) else 122
                if not problem and link.byte_count(TO_INITIATOR) > allowed:
                    problem = f"{link.byte_count(TO_INITIATOR)} bytes came from the responder"
                if problem:
                    wrong.append(f"byte {offset}, bit {bit}: {problem}")
        what = "preface" if index == 0 else "message"
        ward.report.case(
            not wrong, f"a flipped bit in any byte of the {NAMES[direction]}'s {what} of {size}"
            " bytes ends the link before a session", "; ".join(wrong[:5]))
    ward.report.figures["bitFlips"] = flips
    ward.is_well("bit flips in the handshake")


def recovers(ward, attack, sentence, doubled=None):
    """The first link is attacked, later ones are honest: it ends, and the members still agree.

    `doubled` is the direction and index of a frame that is sent twice. All may be said when it comes
    again: then it is the last one of its side, or its responder tells that the session was broken.
    """
    lost = len(ward.laptop.events("peer-lost"))
    ward.laptop.attempt("set", "medication/ward", f"name={os.urandom(4).hex()}")
    ward.relay.begin(attack, only_first=True)
    answer = ward.tablet.attempt("sync", "--peer", ward.relay.address, "--timeout", "15")
    links = list(ward.relay.links)
    closed = bool(links) and links[0].is_over(CLOSE_SECONDS)
    agree = ward.tablet.state() == ward.laptop.state()
    # A second link shows that the first was of no use any more.
    is_useless = len(links) > 1 or (
        doubled and links and len(links[0].units[doubled[0]]) == doubled[1] + 1)
    reasons = [event["reason"] for event in ward.laptop.events("peer-lost")[lost:]]
    if not is_useless and doubled and doubled[0] == TO_RESPONDER:
        is_useless = BROKEN in reasons
    ward.report.case(
        closed and agree and answer.code == 0 and is_useless, sentence,
        f"{len(links)} links, closed {closed}, agree {agree}, sync {answer}, lost by {reasons}")
    for link in links:
        link.abandon()


def alter_transport(ward):
    """Frames of an open session that are altered, lost, doubled or exchanged."""
    for direction, first in ((TO_RESPONDER, 3), (TO_INITIATOR, 2)):
        who = NAMES[direction]
        for index in (first, first + 1):
            recovers(
                ward, only(direction, index, lambda u: [flipped(u, len(u) // 2, 3)]),
                f"a flipped bit in the {who}'s frame {index - first + 1} ends the session")
            recovers(
                ward, only(direction, index, lambda u: [u, u]),
                f"the {who}'s frame {index - first + 1} sent twice ends the session",
                doubled=(direction, index))
        recovers(
            ward, only(direction, first, lambda u: []),
            f"a frame of the {who} that is taken out ends the session")
        recovers(
            ward, only(direction, first, lambda u: [u[:-1]]),
            f"a frame of the {who} that is cut ends the session")
        recovers(ward, swap(direction, first), f"two frames of the {who} in the wrong order"
                 " end the session")
    ward.is_well("altered sessions")


def swap(direction, index):
    held = []

    def attack(at_direction, at_index, unit):
        if at_direction != direction or at_index not in (index, index + 1):
            return [unit]
        if at_index == index:
            held.append(unit)
            return []
        return [unit] + held
    return attack


def replay(ward):
    """What a member said once is worthless on another link, to this device and to others."""
    ward.relay.begin()
    recorded = None
    if ward.tablet.attempt("sync", "--peer", ward.relay.address, "--timeout", "15").code == 0:
        recorded = b"".join(ward.relay.links[0].units[TO_RESPONDER])
    if not ward.report.case(recorded, "a whole session of a member is recorded"):
        return
    for device in (ward.laptop, ward.phone):
        for what, data in (("session", recorded), ("preface and first message", recorded[:74])):
            with ward.stranger_at(device) as stranger:
                stranger.send(data[:24])
                stranger.read(24)
                stranger.send(data[24:])
                closed = stranger.is_closed(5)
                ward.report.case(
                    closed and len(stranger.received) == 24,
                    f"a replayed {what} gets a preface and a closed link from {device.name}",
                    f"closed {closed}, {len(stranger.received)} bytes")
    ward.is_well("replays")


def meet_other_group(ward):
    """A real device of another group is no member, and learns nothing."""
    other = ward.device("other")
    other.call("init", "--name", "stranger", "--kind", "other")
    ward.relay.begin()
    before = ward.connections()
    answer = other.attempt("sync", "--peer", ward.relay.address, "--timeout", "3")
    counts = [link.byte_count(TO_INITIATOR) for link in ward.relay.links]
    for link in ward.relay.links:
        link.is_over(5)
        link.abandon()
    ward.report.case(
        answer.code == 3 and set(counts) == {24} and ward.connections() == before,
        "a device of another group gets a preface and a closed link",
        f"{answer}, bytes {counts}")


def inject_lengths(ward):
    """A lying length, then silence, in every state that a middle man reaches."""
    states = [(TO_RESPONDER, 1, "message 1"), (TO_INITIATOR, 1, "message 2"),
              (TO_RESPONDER, 2, "message 3")]
    for direction, index, state in states:
        wrong = []
        for length in (0, 15, 47, 49, 65535):
            silenced = []

            def attack(at_direction, at_index, unit, lie=frame(b"", length)):
                if at_direction == direction and at_index == index:
                    silenced.append(1)
                    return [lie]
                return [] if silenced and at_direction == direction else [unit]
            _, problem = dial(ward, attack)
            if problem:
                wrong.append(f"{length}: {problem}")
        ward.report.case(
            not wrong, f"a wrong length in place of {state}, then silence, ends the link",
            "; ".join(wrong))
    for length in (0, 15):
        recovers(
            ward, only(TO_RESPONDER, 3, lambda u: [frame(b"", length)]),
            f"a frame of length {length} in an open session ends it")
    ward.is_well("wrong lengths inside handshakes")


def prefaces(ward):
    """Every wrong preface is met by a closed link, without a byte."""
    wrong_ones = {
        "another magic": preface(magic=b"HTTP"), "a lower version only": preface(low=0, high=0),
        "a higher version only": preface(low=2, high=9), "versions upside down":
        preface(low=9, high=1), "an unknown mode": preface(mode=7),
        "a reserved byte": preface(zero=1), "pairing by code while no code is shown":
        preface(mode=1), "pairing by ticket while none is shown": preface(mode=2),
    }
    for what, data in wrong_ones.items():
        with ward.stranger() as stranger:
            stranger.send(data)
            closed = stranger.is_closed(4)
            ward.report.case(
                closed and stranger.received == b"",
                f"a preface with {what} gets a closed link and no byte",
                f"closed {closed}, {len(stranger.received)} bytes")
