"""The attacks of `checks member`, each a function of a scene."""

import os
import struct
import time
import zlib

from cbor import Raw, encode
from saboteur import (
    ACK, BATCH, CERTIFICATE, FORK, GET, HAVE, HEADS, NEED, PING, RECORDS, Chain, body,
    operation, padme)

ATTACKS = []
CEILING = ((1 << 47) - 1) << 16 | 65_535
LWW, LOG_INSERT = 1, 8


def attack(function):
    """Adds a function to the attacks, under its name with dashes."""
    function.name = function.__name__.replace("_", "-")
    ATTACKS.append(function)
    return function


def send(scene, batches, decoded=0, seconds=60):
    """Sends batches in one session, as far as the device lets them in."""
    batches = list(batches)
    session = scene.session()
    left = session.send_batches(batches, seconds)
    session.settle()
    session.listen(1)
    scene.bytes += session.sent
    scene.decoded += decoded
    session.close()
    return {"ended": session.ended, "batches": len(batches) if left is None else left}


def records(scene, made):
    """Sends membership records."""
    session = scene.session()
    for start in range(0, len(made), 200):
        page = made[start:start + 200]
        content = encode([scene.who.group, [Raw(record) for record in page]])
        scene.bytes += len(content)
        session.say(RECORDS, content)
    session.settle()
    session.listen(1)
    session.close()
    return {"ended": session.ended, "records": len(made)}


def wide(count, fill, field=1, kind=LWW, record="r", size=60_000):
    """Operations with long payloads of one letter, which compress to almost nothing."""
    return [operation(record, field + index, kind, fill * size) for index in range(count)]


# --- what was done to real devices


@attack
def waiting_for_a_dependency(scene):
    """1,000 lives, each with a batch of a mebibyte that waits for a batch that nobody has."""
    batches, plain = [], None
    for _ in range(1_000):
        life = Chain(scene.who, scene.meds)
        plain = plain or body(
            wide(17, "a"), {6: [bytes(16)], 7: [[scene.meds, [[0, 1, bytes(8)]]]]})
        batches.append(life.batch(plain))
    return send(scene, batches, decoded=len(batches) << 20)


@attack
def a_commit_of_many_parts(scene):
    """A commit of 300 parts of a mebibyte each."""
    chain, commit, count = Chain(scene.who, scene.meds), os.urandom(16), 300
    batches = [
        chain.batch(body(wide(17, "a", record=f"p{part}"), {0: commit, 1: part + 1, 2: count}))
        for part in range(count)]
    return send(scene, batches, decoded=count << 20)


@attack
def many_small_records(scene):
    """Batches of 4,096 records that compress to two bytes each."""
    chain, count = Chain(scene.who, scene.meds), 40
    batches = [
        chain.batch(body([
            operation(f"{batch}-{index}", 1, LWW, "x") for index in range(4_096)]))
        for batch in range(count)]
    return send(scene, batches, decoded=count * 4_096 * 26)


def in_one_field(scene, payload, kind, collection, field, count):
    chain = Chain(scene.who, scene.who.scope("things") if collection == 2_000 else scene.meds)
    batches = []
    for batch in range(count):
        operations = [
            operation("r", field(batch * 16 + index), kind, payload(batch * 16 + index),
                      collection=collection) for index in range(16)]
        batches.append(chain.batch(body(operations)))
    return send(scene, batches, decoded=count << 20)


@attack
def unknown_fields(scene):
    """1,600 unknown fields of 60,000 bytes on one record: a row of 96 MB."""
    return in_one_field(
        scene, lambda index: "a" * 60_000, LWW, 1_000, lambda index: 10_000 + index, 100)


@attack
def thousands_of_lives(scene):
    """8,300 lives with one empty batch each."""
    plain = body([])
    return send(scene, (Chain(scene.who, scene.meds).batch(plain) for _ in range(8_300)))


@attack
def an_epoch_without_boxes(scene):
    """One epoch that gives nobody its keys."""
    return records(scene, [scene.who.record(4, [2, bytes(32), bytes(31) + b"1", [], []])])


@attack
def eleven_epochs(scene):
    """Eleven epochs, each after the other, whose boxes open for nobody."""
    return records(scene, [epoch(scene, 2 + number) for number in range(11)])


@attack
def epochs_without_number(scene):
    """220 epochs."""
    return records(scene, [epoch(scene, 2 + number) for number in range(220)])


def epoch(scene, number):
    boxes = sorted([scene.who.device, bytes(112)] for _ in range(1))
    return scene.who.record(4, [number, bytes(32), bytes(31) + b"1", boxes, []])


@attack
def a_critical_record(scene):
    """One membership record of a kind below 128 that nobody knows."""
    return records(scene, [scene.who.record(100, None)])


@attack
def ignored_records(scene):
    """3,000 membership records of a kind that means nothing."""
    return records(scene, [scene.who.record(200, bytes(2_000)) for _ in range(3_000)])


@attack
def a_claim_about_ones_own_chain(scene):
    """Acknowledgements that claim the device's own chain at 2^62."""
    import sqlite3

    session = scene.session()
    session.listen(2)
    store = sqlite3.connect(f"file:{scene.tablet.home}/store.sqlite?mode=ro", uri=True)
    rows = store.execute("SELECT scope, chain FROM chains").fetchall()
    store.close()
    for scope, chain in rows:
        session.say(ACK, encode([[[scope, [[chain, 1 << 62, bytes(8)]]]], 1 << 30]))
    session.listen(2)
    session.close()
    return {"ended": session.ended, "claims": len(rows)}


# --- and more


@attack
def gaps(scene):
    """Batches behind gaps, until no more of them may wait."""
    chain = Chain(scene.who, scene.meds)
    plain = body([]) + b""
    batches = [chain.batch(plain, seq=5 + 2 * index, prev=os.urandom(32)) for index in range(2_000)]
    return send(scene, batches)


@attack
def large_gaps(scene):
    """48 MiB of batches that no one can read, behind gaps, in many lives."""
    noise = os.urandom(200_000)
    batches = (
        Chain(scene.who, scene.meds).batch(noise, seq=9, prev=os.urandom(32)) for _ in range(240))
    return send(scene, batches, seconds=30)


@attack
def void_batches(scene):
    """Batches that are signed and say nothing that can be read."""
    chain = Chain(scene.who, scene.meds)
    return send(scene, [chain.batch(os.urandom(64)) for _ in range(2_000)])


@attack
def operations_set_aside(scene):
    """Operations that break a rule each, 4,096 in a batch."""
    chain = Chain(scene.who, scene.meds)
    batches = [
        chain.batch(body([operation(f"r{index}", 1, 5, "x") for index in range(4_096)]))
        for _ in range(10)]
    return send(scene, batches, decoded=10 * 4_096 * 24)


@attack
def histories_without_end(scene):
    """A life that divides at its second batch, 60 times."""
    chain = Chain(scene.who, scene.meds)
    first = chain.batch(body([]))
    batches = [first] + [
        chain.batch(body([operation(f"f{index}", 1, LWW, "x")]), seq=2, prev=chain.head)
        for index in range(60)]
    return send(scene, batches)


@attack
def stamps_of_the_future(scene):
    """Values with the largest stamp that there is."""
    chain = Chain(scene.who, scene.meds)
    plain = body([operation("phone", 1, LWW, "taken over")], stamp=CEILING - (1 << 40))
    return send(scene, [chain.batch(plain)])


@attack
def in_anothers_name(scene):
    """A batch that names another device as its author."""
    return send(scene, [
        Chain(scene.who, scene.meds).batch(body([]), device=os.urandom(32)) for _ in range(3)])


@attack
def a_cycle(scene):
    """Two lives whose batches wait for each other."""
    one, two = Chain(scene.who, scene.meds), Chain(scene.who, scene.meds)
    batches = []
    for mine, other in ((one, two), (two, one)):
        batches.append(mine.batch(body([], {
            6: [other.author], 7: [[scene.meds, [[0, 1, bytes(8)]]]]})))
    return send(scene, batches)


@attack
def authors_without_number(scene):
    """Batches that name 40,000 authors and wait for the last one."""
    table = [struct.pack(">QQ", 0, index) for index in range(40_000)]
    plain = body([], {6: table, 7: [[scene.meds, [[39_999, 1, bytes(8)]]]]})
    return send(
        scene, [Chain(scene.who, scene.meds).batch(plain) for _ in range(100)], decoded=100 << 20)


@attack
def parts_that_never_come(scene):
    """400 commits that lack their last part."""
    batches = []
    for _ in range(400):
        chain, commit = Chain(scene.who, scene.meds), os.urandom(16)
        batches += [
            chain.batch(body([operation("p", 1, LWW, "x")], {0: commit, 1: part, 2: 4}))
            for part in (1, 2, 3)]
    return send(scene, batches)


@attack
def a_part_twice(scene):
    """A commit whose parts all bear one number."""
    chain, commit = Chain(scene.who, scene.meds), os.urandom(16)
    return send(scene, [
        chain.batch(body([operation(f"t{part}", 1, LWW, "x")], {0: commit, 1: 1, 2: 200}))
        for part in range(200)])


@attack
def a_bomb_behind_its_length(scene):
    """A body that inflates to more than it says, and one that says too much."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(200 << 20)) + packer.flush()
    chain, plains = Chain(scene.who, scene.meds), []
    for length in (100, 1 << 20, 0xFFFFFFFF):
        plain = bytes([0, 1]) + struct.pack(">I", length) + packed
        plains.append(plain + bytes(padme(len(plain)) - len(plain)))
    return send(scene, [chain.batch(plain) for plain in plains])


@attack
def nests(scene):
    """Payloads that nest a thousand deep."""
    chain = Chain(scene.who, scene.meds)
    deep = Raw(b"\x81" * 1_000 + b"\xf6")
    return send(scene, [chain.batch(body([operation("n", 1, LWW, deep)])) for _ in range(10)])


@attack
def chains_that_nobody_has(scene):
    """Acknowledgements that list 100,000 chains."""
    session = scene.session()
    for page in range(13):
        listing = [[scene.meds, sorted(
            [os.urandom(16), 1 + page, bytes(8)] for _ in range(8_000))]]
        content = encode([listing, 1 << 30])
        scene.bytes += len(content)
        session.say(ACK, content)
    session.listen(3)
    session.close()
    return {"ended": session.ended}


@attack
def wants_everything_again(scene):
    """The same ranges asked for 200 times, without ever taking them in."""
    session = scene.session(hello={0: os.urandom(8), 1: int(time.time() * 1000), 2: 1, 4: 0})
    ranges = [[scene.meds, os.urandom(16), 1, (1 << 63) - 1] for _ in range(256)]
    for _ in range(200):
        session.say(NEED, encode(ranges))
    session.listen(2)
    session.close()
    return {"ended": session.ended}


@attack
def asks_for_all_records(scene):
    """The whole membership asked for 500 times."""
    session = scene.session()
    for _ in range(500):
        session.say(GET, encode([scene.who.group, scene.who.heads, []]))
    session.listen(5)
    session.close()
    return {"ended": session.ended}


@attack
def records_without_parents(scene):
    """1,000 membership records whose parents nobody has."""
    return records(scene, [
        scene.who.record(200, bytes(10_000), parents=[os.urandom(32)], lamport=50 + index)
        for index in range(1_000)])


@attack
def heads_that_nobody_has(scene):
    """16,384 heads, again and again."""
    session = scene.session()
    for _ in range(20):
        session.say(HEADS, encode(sorted(os.urandom(32) for _ in range(16_384))))
    session.listen(5)
    session.close()
    return {"ended": session.ended}


@attack
def pings(scene):
    """20,000 pings at once."""
    session = scene.session()
    for _ in range(20_000):
        session.say(PING, encode(bytes(8)))
    session.listen(5)
    session.close()
    return {"ended": session.ended}


@attack
def proofs_that_prove_nothing(scene):
    """Forks of others, and certificates, that are not signed."""
    ended = []
    header = encode([1, scene.who.group, os.urandom(32), bytes(8), scene.meds, 2, os.urandom(32),
                     scene.who.epoch, bytes(24)])
    for kind, content in (
            (FORK, [[header, bytes(32), bytes(64)], [header, bytes(31) + b"1", bytes(64)]]),
            (CERTIFICATE, [False, bytes(100)]), (HAVE, [[]]), (BATCH, [9])):
        session = scene.session()
        session.listen(1)
        session.say(kind, encode(content))
        session.listen(3)
        ended.append(session.ended)
        session.close()
    return {"ended": ended}


@attack
def sessions_without_end(scene):
    """200 sessions, one after the other, left without a word."""
    for _ in range(200):
        scene.session().close()
    return {}


@attack
def a_log_record_of_many_contents(scene):
    """One dose with 4,096 contents."""
    month = scene.who.scope("log/2026-01")
    chain = Chain(scene.who, month)
    operations = [
        operation("2026-01-x", 0, LOG_INSERT, [[1, f"content {index}"]], collection=1_003)
        for index in range(4_096)]
    return send(scene, [chain.batch(body(operations))], decoded=4_096 * 60)
