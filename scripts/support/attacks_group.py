"""The attacks of `checks group`: on who belongs to a group, and on what others read."""

import os
import time

from cbor import Raw, encode
from group_scene import OPEN
from insider import ADMIN, EPOCH, MEMBER, ROLE, VOTE, Talk, stored, stranger
from saboteur import BATCH, GET, HAVE, NEED, RECORDS, Chain, body, operation
from sodium import Refused, blake, kdf, xchacha_open

ATTACKS = []


def attack(function):
    """Adds a function to the attacks, under its name with dashes."""
    function.name = function.__name__.replace("_", "-")
    ATTACKS.append(function)
    return function


def quiet(scene, talk, sentence):
    """A session with a device that is out told nothing but records and what it is asked for."""
    return scene.expect(
        not talk.kinds & OPEN and not any(
            kind == HAVE for kind, _ in talk.contents), sentence, sorted(talk.kinds))


# --- one that was removed


@attack
def old_keys_open_no_session(scene):
    """A removed device tries each of its keys, greets, and asks for everything."""
    early = list(scene.who.heads)
    scene.out()
    scene.laptop.call("set", "medication/secret", "name=for members")
    tried, told = 0, set()
    for epoch in sorted(scene.who.keys):
        for heads in (early, scene.who.heads):
            scene.who.epoch, tried = epoch, tried + 1
            talk = scene.talk()
            talk.tell([], heads)
            talk.open()
            talk.say(GET, encode([scene.who.group, scene.who.heads, []]))
            talk.say(NEED, encode([[scene.meds, os.urandom(16), 1, 1 << 40]]))
            talk.listen(7)
            quiet(scene, talk, "it gets no greeting, no listing and no batch")
            told.add(talk.ended)
            talk.close()
    scene.expect(
        all(end and end.startswith("close") for end in told), "each link is closed", told)
    scene.expect_group("laptop", "phone")
    return {"tried": tried, "ended": sorted(map(str, told))}


@attack
def old_epochs_again(scene):
    """A removed device brings its old epochs again, and begins one of a high number."""
    scene.out()
    who, number = scene.who, 1 + max(content[0] for content in scene.who.epochs.values())
    heads, devices = list(who.heads), [bytes.fromhex(one) for one in scene.ids.values()]
    ends = [scene.tell(*who.records[:40]).ended]
    ends.append(scene.tell(who.sign(EPOCH, who.new_epoch(devices))[1]).ended)
    ends.append(scene.tell(
        who.sign(EPOCH, [9_000_000, bytes(32), bytes(31) + b"1", [], []], heads)[1]).ended)
    scene.expect(ends[:2] == ["close 1"] * 2, "what is well signed is kept, and no more", ends)
    scene.expect(ends[2] == "close 4", "a number that does not follow ends the link", ends)
    scene.laptop.call("set", "medication/secret", "name=for members")
    newest = scene.newest_epochs()
    scene.expect(
        newest and not set(newest) & set(who.keys), "it lacks the keys of what is written later",
        [one.hex()[:8] for one in newest])
    scene.expect(
        max(who.epochs[one][0] for one in newest if one in who.epochs) == number - 1,
        "those of the removal")
    scene.expect_group("laptop", "phone")
    return {"ended": ends}


@attack
def batches_of_the_past(scene):
    """A removed device hands over batches that say they were written long ago."""
    scene.out()
    batches, listing = scene.late_batches(3, stamp=(int(time.time() * 1000) - 86_400_000) << 16)
    talk = scene.hand_over(batches, listing)
    scene.expect(talk.ended == "close 1", "it is taken, and the link ends", talk.ended)
    quiet(scene, talk, "it is told nothing")
    scene.expect(not scene.shows("late0"), "what it wrote does not show")
    late = scene.late()
    scene.expect(
        [one["last"] - one["first"] + 1 for one in late] == [3], "it waits for a person", late)
    scene.laptop.call("late", "accept", "tablet")
    scene.expect(scene.shows("late2"), "an admin may let it count")
    return {"ended": talk.ended, "late": len(late)}


@attack
def batches_by_way_of_a_friend(scene):
    """A removed device brings late batches to a member that has not heard."""
    batches, _ = scene.late_batches(2, record="friend")
    scene.laptop.stop()
    scene.laptop.call("remove", "tablet", "--reason", "lost")
    scene.phone.run()
    session = Talk(scene.who, scene.phone.own_port)
    session.open()
    session.listen(1)
    session.send_batches(batches, 10)
    session.settle(20)
    scene.expect(
        "friend0" in (scene.phone.records() or {}), "one that has not heard takes it",
        session.ended)
    session.close()
    scene.phone.stop()
    scene.laptop.run()
    scene.told()
    scene.sync()
    scene.expect(not scene.shows("friend0"), "the laptop does not show it")
    scene.expect("friend0" not in (scene.phone.records() or {}), "the phone shows it no more")
    scene.expect(bool(scene.late()), "it waits for a person", scene.late())
    scene.expect_group("laptop", "phone")
    return {"late": len(scene.late())}


@attack
def records_of_the_past(scene):
    """A removed device signs as of long ago that the others are out, and demotes them."""
    scene.out()
    who, laptop = scene.who, bytes.fromhex(scene.ids["laptop"])
    told = []
    for parents in ([who.admission], sorted(scene.before_it)):
        told.append(who.remove(laptop, [who.device], parents)[1])
        told.append(who.sign(ROLE, [laptop, MEMBER, None, None], parents)[1])
    talk = scene.tell(*told)
    scene.expect_group("laptop", "phone")
    scene.expect(
        set(scene.roles().values()) == {"admin"}, "nobody lost a right", scene.roles())
    return {"records": len(told), "ended": talk.ended}


@attack
def comes_again(scene):
    """A removed device admits itself again, and a helper, above and beside its removal."""
    scene.out()
    who, told = scene.who, []
    helper, name = stranger()
    beside = sorted(set(scene.before_it))
    for certificate in (who.certificate(), helper):
        told += [who.admit(certificate, parents=parents)[1] for parents in (None, beside)]
    talk = scene.tell(*told)
    scene.expect(not scene.belongs(name), "the helper is none of the group")
    scene.expect_group("laptop", "phone")
    return {"records": len(told), "ended": talk.ended}


@attack
def votes_both_ways(scene):
    """A removed device leads many lives, each of which votes against its removal."""
    scene.out()
    who, removal, told = scene.who, scene.removal(), []
    for number in range(40):
        # Without something else before it, each vote would be the same record again.
        parents = [removal] if number % 4 else [who.admission]
        life, record = who.sign(200, os.urandom(8), parents)
        parents = [life] if parents == [removal] else [life, removal]
        told += [record, who.sign(VOTE, [number % 2 == 0, removal], parents)[1]]
    talk = scene.tell(*told, heads=[removal])
    kept = stored(scene.laptop.home, "SELECT count(*) FROM members")[0][0]
    scene.expect(kept > len(told), "all of them are kept", kept)
    scene.expect_group("laptop", "phone")
    return {"records": len(told), "ended": talk.ended, "kept": kept}


@attack
def restrictions_without_number(scene):
    """A removed device signs 300 removals of everybody, one above the other and beside."""
    scene.out()
    who, told = scene.who, []
    targets = [bytes.fromhex(scene.ids[name]) for name in ("laptop", "phone")]
    last, beside = who.heads[0], []
    for number in range(150):
        last, record = who.remove(targets[number % 2], [who.device], [last])
        beside.append(who.remove(targets[number % 2], [who.device], [who.admission])[1])
        told += [record, beside[-1]]
    began = time.monotonic()
    talk = scene.tell(*told, heads=[last], seconds=60)
    took = round(time.monotonic() - began, 1)
    began = time.monotonic()
    scene.laptop.call("status")
    answered = round(time.monotonic() - began, 1)
    kept = stored(scene.laptop.home, "SELECT count(*) FROM members")[0][0]
    scene.expect(kept > len(told), "all of them are kept", kept)
    scene.expect(answered < 10, "the laptop answers its person within 10 s", answered)
    scene.expect_group("laptop", "phone")
    return {"records": len(told), "ended": talk.ended, "tellSeconds": took,
            "statusSeconds": answered}


@attack
def batches_of_others(scene):
    """A removed device hands over batches in the name of another one."""
    scene.out()
    batches, listing = scene.late_batches()
    chain = Chain(scene.who, scene.meds)
    forged = chain.batch(
        body([operation("forged", 1, 1, "x")]), device=bytes.fromhex(scene.ids["phone"]))
    ends = []
    for content in (forged, os.urandom(200), encode([0, b"", b"", bytes(64)])):
        talk = scene.hand_over([content], listing)
        quiet(scene, talk, "it is told nothing")
        ends.append(talk.ended)
    scene.expect(set(ends) == {"close 4"}, "each ends the link", ends)
    scene.expect(not scene.late() and not scene.shows("forged"), "nothing of it is kept")
    talk = scene.hand_over(batches, listing)
    scene.expect(bool(scene.late()), "what is its own is taken after that", talk.ended)
    return {"ended": ends}


@attack
def hands_over_without_end(scene):
    """A removed device lists a chain without end, and sends more than it is asked for."""
    scene.out()
    batches, listing = scene.late_batches(200)
    listing[0][0][1][0][1] = 1 << 39
    talk = scene.hand_over(batches, listing)
    scene.expect(
        all(last - first < 64 for _, _, first, last in talk.asked),
        "it is asked for 64 batches at a time", talk.asked)
    held = sum(one["last"] - one["first"] + 1 for one in scene.late())
    scene.expect(held <= 128, "what it was not asked for is not kept", held)
    silent = scene.talk()
    silent.tell([])
    began = time.monotonic()
    silent.listen(20)
    took = round(time.monotonic() - began, 1)
    scene.expect(took < 8, "one that says nothing is sent away", took)
    silent.close()
    return {"ended": talk.ended, "held": held, "silentSeconds": took}


# --- one that has another role


@attack
def a_demoted_admin_admits(scene):
    """A demoted admin admits a helper beside its demotion and above it, and removes somebody."""
    scene.give("member")
    who, (one, first), (two, second) = scene.who, stranger(), stranger()
    told = [
        who.admit(one, parents=scene.before_it)[1], who.admit(two)[1],
        who.remove(bytes.fromhex(scene.ids["phone"]), [who.device])[1],
        who.sign(ROLE, [who.device, ADMIN, None, None])[1]]
    talk = scene.tell(*told)
    scene.expect(
        not scene.belongs(first) and not scene.belongs(second), "no helper is of the group")
    scene.expect_group("laptop", "phone", "tablet")
    role = scene.roles()[scene.ids["tablet"]]
    scene.expect(role == "member", "it is still a member", role)
    return {"ended": talk.ended}


@attack
def a_relay_reads(scene):
    """A relay asks for everything, and tries all of its keys."""
    scene.give("relay")
    scene.laptop.call("set", "medication/secret", "name=for readers")
    who = scene.who
    who.learn(scene.laptop.home)
    newest = max(who.network, key=lambda name: who.epochs[name][0])
    scene.expect(newest not in who.keys, "its box of the new epoch has no data key")
    talk = scene.talk()
    talk.open()
    talk.listen(3)
    got = [content for kind, content in talk.contents if kind == BATCH]
    talk.close()
    opened = sum(opens(who, scene, *row) for row in scene.batches_of("laptop", newest))
    scene.expect(opened == 0, "nothing that was written since opens for it", opened)
    scene.expect_group("laptop", "phone", "tablet")
    return {"batches": len(got), "opened": opened}


def opens(who, scene, scope, life, seq, prev, epoch, nonce, sealed):
    """1 when one of its keys opens a batch of the laptop."""
    device = bytes.fromhex(scene.ids["laptop"])
    author = blake(b"linnet/author/1" + device + life, 16)
    header = encode([1, who.group, device, life, scope, seq, prev, epoch, nonce])
    for _, data_key in who.keys.values():
        try:
            xchacha_open(kdf(data_key, "linnet/batch-key/1", author + scope), nonce, sealed, header)
            return 1
        except Refused:
            continue
    return 0


@attack
def a_reader_writes(scene):
    """A reader writes batches that go on its chain, and one in a new life."""
    scene.give("reader")
    batches, _ = scene.late_batches(2, record="reader")
    batches.append(Chain(scene.who, scene.meds).batch(body([operation("life", 1, 1, "x")])))
    talk = scene.talk()
    talk.open()
    talk.listen(1)
    talk.send_batches(batches, 10)
    talk.settle(20)
    ended = talk.ended
    talk.close()
    scene.sync()
    for device in (scene.laptop, scene.phone):
        shown = set(device.records() or {}) & {"reader0", "reader1", "life"}
        scene.expect(not shown, f"{device.name} shows nothing of it", shown)
    scene.expect(bool(scene.late()), "it waits for a person", scene.late())
    scene.expect_group("laptop", "phone", "tablet")
    return {"ended": ended, "late": len(scene.late())}


# --- an admin


@attack
def an_unknown_record_freezes(scene):
    """An admin signs a record of a critical kind that nobody knows; its removal undoes that."""
    _, record = scene.who.sign(100, None)
    session = scene.talk()
    session.open()
    session.listen(1)
    session.say(RECORDS, encode([scene.who.group, [Raw(record)]]))
    session.settle(20)
    session.close()
    warned = [one.get("kind") for one in scene.laptop.status().get("warnings", [])]
    passed, _ = scene.converse()
    scene.expect(passed, "the exchange goes on while it stands")
    scene.out()
    scene.expect_group("laptop", "phone")
    still = [one.get("kind") for one in scene.laptop.status().get("warnings", [])]
    scene.expect(
        len(set(warned)) > 0 and set(warned) - set(still) != set(),
        "it is told while it stands, and no more once its author is out", f"{warned}, {still}")
    return {"warnedOf": warned, "after": still}


@attack
def two_removals_of_each_other(scene):
    """The admin removes the one that removes it, at the same time; the third decides."""
    who, laptop = scene.who, bytes.fromhex(scene.ids["laptop"])
    rest = [bytes.fromhex(scene.ids["phone"]), who.device]
    _, removal = who.remove(laptop, rest)
    scene.laptop.call("remove", "tablet", "--reason", "lost")
    scene.sync()
    talk = scene.tell(removal, heads=who.heads)
    scene.expect_group("laptop", "phone")
    standing = [one for one in scene.laptop.attempt("removals").objects]
    scene.expect(len(standing) == 2, "both removals are shown", len(standing))
    return {"ended": talk.ended, "removals": len(standing)}
