"""The attacks of `checks group` by a device that is bound to scopes."""

import os

from attacks_group import attack
from cbor import Raw, decode, encode
from insider import EPOCH, ROLE, SHARE, MEMBER, RootChain
from saboteur import BATCH, HAVE, HELLO, NEED, RECORDS, Chain, body, operation
from sodium import Refused, blake, kdf, xchacha_open, xchacha_seal

KEY_GET, KEYS = 0x20, 0x21
READS_SCOPED = 2
STOCK = 1001


def opens(keys, group, device, row):
    """Whether any of some keys opens a batch, taken for a key of any kind."""
    scope, life, seq, prev, epoch, column, sealed = row
    nonce, root = column[:24], column[24:]
    author = blake(b"linnet/author/1" + device + life, 16)
    head = [2 if root else 1, group, device, life, scope, seq, prev, epoch, nonce]
    header = encode(head + ([root] if root else []))
    for key in keys:
        tried = [key, kdf(key, "linnet/batch-key/1", author + scope),
                 kdf(key, "linnet/batch-key/2", author + scope),
                 kdf(kdf(key, "linnet/scope-key/1", root or scope), "linnet/batch-key/2",
                     author + scope)]
        for one in tried:
            try:
                xchacha_open(one, nonce, sealed, header)
                return True
            except Refused:
                continue
    return False


def forged_key_is_seen():
    """Whether `opens` finds a data key, and finds nothing in a key that is another one."""
    data, root, scope, life, device = (os.urandom(size) for size in (32, 16, 16, 8, 32))
    group, prev, epoch, nonce = (os.urandom(size) for size in (32, 32, 32, 24))
    author = blake(b"linnet/author/1" + device + life, 16)
    key = kdf(kdf(data, "linnet/scope-key/1", root), "linnet/batch-key/2", author + scope)
    header = encode([2, group, device, life, scope, 1, prev, epoch, nonce, root])
    row = (scope, life, 1, prev, epoch, nonce + root, xchacha_seal(key, nonce, b"x", header))
    return opens([data], group, device, row) and not opens([os.urandom(32)], group, device, row)


def opened(scene, scope, epochs):
    """How many batches that honest devices sealed in a scope since other epochs its keys open."""
    rows = scene.sealed_since(epochs, scope)
    keys = scene.who.all_keys + scene.handed
    names = {name: bytes.fromhex(scene.ids[name]) for name in ("laptop", "phone")}
    return len(rows), sum(
        opens(keys, scene.who.group, names[name], row) for name, *row in rows)


def bound(scene, *scopes, role="member"):
    """Binds the tablet, and lets the others write in every scope; the epochs before that."""
    before = set(scene.who.epochs)
    scene.handed = []
    scene.bind(*scopes, role=role)
    for device, record in ((scene.laptop, "first"), (scene.phone, "second")):
        device.call("set", f"stock/{record}", "stock=5")
        device.call("set", f"medication/{record}", "name=granted")
        scene.told()
    scene.stock = scene.who.scope("inventory")
    return before


def greeted(scene, have=None):
    """A session of a device that reads what is sealed by scope."""
    talk = scene.talk()
    talk.open(hello={0: os.urandom(8), 1: scene.now(), 2: 1, 3: READS_SCOPED}, have=have)
    talk.listen(3)
    return talk


def sent(talk, *kinds):
    return [content for kind, content in talk.contents if kind in kinds]


def scopes_in(talk, batches=True):
    """The scopes of the batches and of the lines of listings that it was sent."""
    found = set()
    for content in sent(talk, BATCH) if batches else []:
        parts = decode(content)
        if parts[0] == 0:
            found.add(decode(parts[1])[4])
    for content in sent(talk, HAVE):
        for scope, _ in decode(content)[-1]:
            found.add(scope)
    return found


@attack
def a_bound_caregiver_keeps_all(scene):
    """A device that is bound to medicines keeps all that it is sent, and tries every key."""
    epochs = bound(scene, "meds", role="reader")
    talk = greeted(scene)
    scopes = scopes_in(talk)
    talk.close()
    scene.expect(
        HELLO in talk.kinds and scene.meds in scopes, "it is greeted, and hears of its scope",
        talk.ended)
    scene.expect(scene.stock not in scopes, "no line and no batch of another scope reaches it")
    sealed, read = opened(scene, scene.stock, epochs)
    scene.expect(sealed >= 2 and read == 0, "none of its keys opens the stock", f"{read}/{sealed}")
    granted, own = opened(scene, scene.meds, epochs)
    scene.expect(
        granted >= 2 and own == granted, "its keys open all of its own scope", f"{own}/{granted}")
    scene.expect_group("laptop", "phone", "tablet")
    return {"sealed": sealed, "opened": read, "granted": granted, "openedOfGranted": own,
            "scopesHeardOf": len(scopes), "batches": len(sent(talk, BATCH))}


@attack
def a_bound_caregiver_asks_for_others(scene):
    """A bound device asks for batches and keys of scopes that it was not granted."""
    epochs = bound(scene, "meds")
    rows = scene.sealed_since(epochs, scene.stock)
    names = {name: bytes.fromhex(scene.ids[name]) for name in ("laptop", "phone")}
    talk = greeted(scene)
    authors = [blake(b"linnet/author/1" + names[name] + row[1], 16) for name, *row in rows]
    talk.say(NEED, encode([[scene.stock, author, 1, 1 << 39] for author in sorted(set(authors))]))
    newest = scene.who.bound_epoch()
    wanted = [[newest, scene.stock, None], [newest, bytes(16), None],
              [newest, bytes(15) + b"\x01", None]]
    wanted += [[newest, scene.stock, author] for author in sorted(set(authors))]
    wanted.append([newest, scene.meds, None])
    talk.say(KEY_GET, encode(wanted))
    talk.settle(20)
    answers = [decode(content) for content in sent(talk, KEYS)]
    got = [one[:3] for answer in answers for one in answer]
    scene.handed = [one[3] for answer in answers for one in answer]
    scene.expect(
        got == [[newest, scene.meds, None]], "it is given the key of its own scope and no other",
        len(got))
    scene.expect(scene.stock not in scopes_in(talk), "no batch of another scope is sent")
    sealed, read = opened(scene, scene.stock, epochs)
    scene.expect(sealed >= 2 and read == 0, "nothing that it has opens the stock", read)
    talk.close()
    scene.expect_group("laptop", "phone", "tablet")
    return {"asked": len(wanted), "keys": len(got), "batches": len(sent(talk, BATCH)),
            "sealed": sealed, "opened": read, "ended": talk.ended}


@attack
def a_bound_caregiver_writes_elsewhere(scene):
    """A bound device writes in other scopes: with old keys, other roots and keys of its own."""
    epochs = bound(scene, "meds")
    who = scene.who
    newest = who.bound_epoch()

    def written(chain, record, collection=STOCK):
        return chain.batch(body([operation(record, 1, 1, "x", collection=collection)]))

    # Of an epoch that it still has whole, in format 1 and 2.
    who.epoch = max(set(who.keys) & epochs, key=lambda name: who.epochs[name][0])
    tried = [
        written(Chain(who, scene.stock), "old1"),
        written(RootChain(who, scene.stock, who.epoch), "old2"),
        written(RootChain(who, scene.stock, newest, root=scene.meds), "lie1"),
        written(RootChain(who, scene.stock, newest, key=who.root_key(newest, scene.meds)), "lie2"),
        written(RootChain(who, scene.stock, newest, key=os.urandom(32)), "lie3"),
        # A record of another scope among batches of its own.
        written(RootChain(who, scene.meds, newest), "lie4"),
    ]
    granted = written(RootChain(who, scene.meds, newest), "granted", collection=1000)
    ends = []
    for content in [*tried, granted]:
        talk = greeted(scene)
        scene.bytes += len(content)
        talk.send_batches([content], 10)
        talk.settle(20)
        ends.append(talk.ended)
        talk.close()
    scene.sync()
    for device in (scene.laptop, scene.phone):
        stock = {one.get("id") for one in device.attempt("list", "stock").objects}
        shown = stock & {"old1", "old2", "lie1", "lie2", "lie3", "lie4"}
        scene.expect(not shown, f"{device.name} shows nothing of it", shown)
        scene.expect({"first", "second"} <= stock, f"{device.name} shows its own", stock)
        scene.expect(
            "granted" in (device.records() or {}), f"{device.name} shows what it may write", ends)
    scene.expect_group("laptop", "phone", "tablet")
    return {"tried": len(tried), "ended": sorted({str(end) for end in ends})}


@attack
def a_bound_caregiver_starts_an_epoch(scene):
    """A bound device starts epochs by itself, whose keys it would know."""
    epochs = bound(scene, "meds")
    who = scene.who
    current = scene.newest_epochs()[0]
    devices = [bytes.fromhex(one) for one in scene.ids.values()]
    told = [who.sign(EPOCH, who.new_epoch(devices))[1] for _ in range(3)]
    made = set(who.epochs) - epochs - {current}
    talk = scene.talk()
    talk.open(hello={0: os.urandom(8), 1: scene.now(), 2: 1, 3: READS_SCOPED})
    talk.listen(1)
    talk.say(RECORDS, encode([who.group, [Raw(record) for record in told]]))
    talk.settle(20)
    talk.close()
    scene.laptop.call("set", "stock/third", "stock=7")
    scene.sync()
    newest = scene.epochs_of(scene.stock, epochs)
    scene.expect(current in newest, "the laptop writes under the keys that it had", len(newest))
    scene.expect(not newest & made, "nobody writes under those epochs", len(newest & made))
    sealed, read = opened(scene, scene.stock, epochs)
    scene.expect(sealed >= 3 and read == 0, "none of its keys opens the stock", f"{read}/{sealed}")
    scene.expect_group("laptop", "phone", "tablet")
    return {"epochs": len(told), "sealed": sealed, "opened": read, "ended": talk.ended}


@attack
def a_bound_caregiver_claims_a_wider_share(scene):
    """A bound device gives itself more scopes, a whole role, and shares of the keys in use."""
    epochs = bound(scene, "meds")
    who = scene.who
    newest, current = who.bound_epoch(), scene.newest_epochs()[0]
    wider = sorted({*who.roots[newest], scene.stock})
    told = [
        who.sign(ROLE, [who.device, MEMBER, wider, None])[1],
        who.sign(ROLE, [who.device, MEMBER, None, None])[1],
        who.sign(SHARE, [newest, who.device, os.urandom(80 + 48 * len(wider))])[1],
        who.sign(SHARE, [newest, who.device, os.urandom(112)])[1],
        who.sign(SHARE, [newest, bytes.fromhex(scene.ids["phone"]), os.urandom(112)])[1],
    ]
    talk = scene.talk()
    talk.open(hello={0: os.urandom(8), 1: scene.now(), 2: 1, 3: READS_SCOPED})
    talk.listen(1)
    talk.say(RECORDS, encode([who.group, [Raw(record) for record in told]]))
    talk.settle(20)
    talk.say(KEY_GET, encode([[newest, scene.stock, None]]))
    talk.settle(20)
    keys = [one for content in sent(talk, KEYS) for one in decode(content)]
    scene.handed = [one[3] for one in keys]
    talk.close()
    scene.expect(not keys, "it is given no key of a scope that it claims", len(keys))
    scene.laptop.call("set", "stock/third", "stock=7")
    scene.sync()
    found = next(
        one for one in scene.laptop.status()["devices"] if one["device"] == who.device.hex())
    scene.expect(
        found.get("scopes") == "devices,meds", "it is bound as before", found.get("scopes"))
    under = scene.epochs_of(scene.stock, epochs)
    scene.expect(current in under, "the keys in use are the same", len(under))
    sealed, read = opened(scene, scene.stock, epochs)
    scene.expect(sealed >= 3 and read == 0, "nothing that it has opens the stock", read)
    scene.expect_group("laptop", "phone", "tablet")
    return {"records": len(told), "keys": len(keys), "sealed": sealed, "opened": read,
            "ended": talk.ended}
