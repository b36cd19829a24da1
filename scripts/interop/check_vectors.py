#!/usr/bin/env python3
"""Checks docs/vectors with nothing of ours: Python's hashes, and the ciphers of `cryptography`.

usage: check_vectors.py FOLDER
Prints how many facts of each file were checked; exit 1 at the first that is not so.
"""
import hashlib
import json
import pathlib
import struct
import sys
import zlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey, X25519PublicKey)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.poly1305 import Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from membership_rule import ADMIN, RECEIPT, REMOVE, WIPE, Rule

RAW = (Encoding.Raw, PublicFormat.Raw)
checked = 0


def same(one, other, what):
    global checked
    checked += 1
    if one != other:
        sys.exit(f"not so: {what}: {one!r} is not {other!r}")


def h(text):
    return bytes.fromhex(text)


def blake(data, size=32, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def kdf(key, label, data=b""):
    return blake(label.encode() + data, key=key)


def cbor(item):
    """The canonical encoding of integers, bytes, text, lists and None."""
    def head(major, number):
        for size, code in ((0, None), (1, 24), (2, 25), (4, 26), (8, 27)):
            if size == 0 and number < 24:
                return bytes([major << 5 | number])
            if size and number < 1 << 8 * size:
                return bytes([major << 5 | code]) + number.to_bytes(size, "big")
        raise ValueError(number)

    if item is None:
        return b"\xf6"
    if isinstance(item, int):
        return head(0, item) if item >= 0 else head(1, -1 - item)
    if isinstance(item, bytes):
        return head(2, len(item)) + item
    if isinstance(item, str):
        return head(3, len(item.encode())) + item.encode()
    return head(4, len(item)) + b"".join(cbor(part) for part in item)


def item(data, at=0):
    """One item of `data` as `cbor` writes it, and where it ends; maps as lists of pairs."""
    major, number, at = data[at] >> 5, data[at] & 31, at + 1
    if major == 7:
        return {20: False, 21: True, 22: None}[number], at
    if number > 23:
        size = 1 << number - 24
        number, at = int.from_bytes(data[at:at + size], "big"), at + size
    if major < 2:
        return (number if major == 0 else -1 - number), at
    if major < 4:
        text = data[at:at + number]
        return (text if major == 2 else text.decode()), at + number
    parts = []
    for _ in range(number * (major - 3)):
        part, at = item(data, at)
        parts.append(part)
    return parts if major == 4 else list(zip(parts[::2], parts[1::2])), at


def read(data):
    """The whole of `data` as one item."""
    found, end = item(data)
    same(end, len(data), "end of an item")
    return found


def hchacha(key, nonce):
    """HChaCha20 of draft-irtf-cfrg-xchacha, section 2.2."""
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a, b, c, d):
        turns = ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7))
        for first, second, third, turn in turns:
            state[first] = (state[first] + state[second]) & 0xFFFFFFFF
            mixed = state[third] ^ state[first]
            state[third] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for columns in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
            quarter(*columns)
        for diagonals in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            quarter(*diagonals)
    return struct.pack("<8I", *(state[:4] + state[12:]))


def xchacha_open(key, nonce, sealed, data):
    return ChaCha20Poly1305(hchacha(key, nonce[:16])).decrypt(b"\0" * 4 + nonce[16:], sealed, data)


def salsa(key, head, rounds_only):
    """Salsa20's core over 16 bytes of nonce and counter; HSalsa20 keeps what it does not add."""
    words = struct.unpack("<8I", key)
    place, constants = struct.unpack("<4I", head), struct.unpack("<4I", b"expand 32-byte k")
    state = [constants[0], *words[:4], constants[1], *place, constants[2], *words[4:], constants[3]]
    start = list(state)

    def quarter(a, b, c, d):
        for to, one, other, turn in ((b, a, d, 7), (c, b, a, 9), (d, c, b, 13), (a, d, c, 18)):
            total = (state[one] + state[other]) & 0xFFFFFFFF
            state[to] ^= (total << turn | total >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for places in ((0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11)):
            quarter(*places)
        for places in ((0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14)):
            quarter(*places)
    if rounds_only:
        return struct.pack("<8I", *(state[place] for place in (0, 5, 10, 15, 6, 7, 8, 9)))
    return struct.pack("<16I", *(one + two & 0xFFFFFFFF for one, two in zip(state, start)))


def box_open(secret, box):
    """Opens what `crypto_box_seal` of libsodium made."""
    pair = X25519PrivateKey.from_private_bytes(secret)
    public, ephemeral = pair.public_key().public_bytes(*RAW), box[:32]
    shared = pair.exchange(X25519PublicKey.from_public_bytes(ephemeral))
    nonce = blake(ephemeral + public, 24)
    key = salsa(salsa(shared, bytes(16), True), nonce[:16], True)
    blocks = range(-(-(len(box) - 16) // 64))
    stream = b"".join(salsa(key, nonce[16:] + struct.pack("<Q", at), False) for at in blocks)
    tag, sealed = box[32:48], box[48:]
    Poly1305.verify_tag(stream[:32], sealed, tag)
    return bytes(one ^ other for one, other in zip(sealed, stream[32:]))


def padme(size):
    if size < 2:
        return size
    exponent = size.bit_length() - 1
    mask = (1 << exponent - exponent.bit_length()) - 1
    return size + mask & ~mask


def keys(file):
    for device in file["devices"]:
        sign = Ed25519PrivateKey.from_private_bytes(h(device["sign"]["seed"]))
        public = sign.public_key().public_bytes(*RAW)
        same(public.hex(), device["sign"]["public"], "Ed25519 public key")
        parts = [1, public]
        for name in ("noise", "seal"):
            pair = X25519PrivateKey.from_private_bytes(h(device[name]["secret"]))
            same(pair.public_key().public_bytes(*RAW).hex(), device[name]["public"], name)
            parts.append(h(device[name]["public"]))
        inner = cbor(parts + [device["created"]])
        same(inner.hex(), device["inner"], "inner part of the certificate")
        same(sign.sign(b"linnet/cert/1" + inner).hex(), device["signature"], "certificate")
        same(device["certificate"], "82" + device["inner"] + "5840" + device["signature"], "whole")
        author = blake(b"linnet/author/1" + public + h(device["incarnation"]), 16)
        same(author.hex(), device["author"], "author")
    for scope in file["scopes"]:
        key = kdf(h(scope["firstDataKey"]), "linnet/scope/1")
        same(key.hex(), scope["key"], "key of scopes")
        same(blake(scope["name"].encode(), 16, key).hex(), scope["scope"], "scope")


def grant(facts, devices, group):
    """A role record that binds a device to scopes, and the share that hands it their keys."""
    bodies = {}
    for name in ("role", "epoch", "share"):
        encoded = h(facts[name])
        body, signature = read(encoded)
        content = cbor_of_body(encoded)
        Ed25519PublicKey.from_public_bytes(body[3]).verify(signature, b"linnet/member/1" + content)
        same(body[1], group, "group of a record")
        bodies[name] = (blake(b"linnet/member-id/1" + content), body)
    (_, role), (epoch_name, epoch), (_, share) = bodies.values()
    same([role[2], epoch[2], share[2]], [3, 4, 7], "kinds")
    device, level, roots, heads = role[6]
    same([level, heads], [3, []], "a reader, and nothing to keep")
    same([share[6][0], share[6][1]], [epoch_name, device], "share")
    seal = next(one for one in devices if h(one["sign"]["public"]) == device)["seal"]["secret"]
    content = box_open(h(seal), share[6][2])
    same(content.hex(), facts["box"], "content of the box")
    number, network, data = epoch[6][:3]
    for key, commitment in ((content[:32], network), (h(facts["dataKey"]), data)):
        text = b"linnet/commit/1" + group + number.to_bytes(8, "big")
        same(blake(text, key=key), commitment, "commitment")
    first = h(facts["firstDataKey"])
    names = kdf(first, "linnet/scope/1")
    keys = {bytes(16): names, bytes(15) + b"\x01": kdf(first, "linnet/schema/1")}
    for name in facts["roots"]:
        root = blake(name.encode(), 16, names)
        keys[root] = kdf(h(facts["dataKey"]), "linnet/scope-key/1", root)
    same(roots, sorted(keys), "roots of the role record")
    same(content[32:], b"".join(root + keys[root] for root in roots), "keys of the roots")
    same([one for one, _ in epoch[6][3] if one == device], [], "no box of everything")


def scoped_batch(facts):
    """A batch of format 2."""
    header = read(h(facts["header"]))
    key = kdf(h(facts["dataKey"]), "linnet/scope-key/1", h(facts["root"]))
    same(key.hex(), facts["rootKey"], "key of a root")
    key = kdf(key, "linnet/batch-key/2", h(facts["author"]) + h(facts["scope"]))
    same(key.hex(), facts["batchKey"], "batch key of format 2")
    same([header[0], header[9].hex()], [2, facts["root"]], "header of format 2")
    plaintext = xchacha_open(key, header[8], h(facts["ciphertext"]), h(facts["header"]))
    same(plaintext.hex(), facts["plaintext"], "plaintext of format 2")
    identity = blake(b"linnet/batch-id/1" + h(facts["header"]) + blake(h(facts["ciphertext"])))
    same(identity.hex(), facts["id"], "id of format 2")


def linked(records):
    """Checks the bytes of a set of records, and how each follows those before it; their ids."""
    names, lamports, group = [], {}, None
    for encoded in map(h, records):
        (body, signature) = read(encoded)
        content = cbor_of_body(encoded)
        name = blake(b"linnet/member-id/1" + content)
        Ed25519PublicKey.from_public_bytes(body[3]).verify(signature, b"linnet/member/1" + content)
        group = group or name
        same(body[1], bytes(32) if body[2] == 0 else group, "group of a record")
        same(body[5], sorted(set(body[5])), "parents ascend")
        same(body[4], 1 + max((lamports[parent] for parent in body[5]), default=0), "lamport")
        same((name in lamports), False, "a record twice")
        lamports[name] = body[4]
        names.append(name)
    same(names, sorted(names, key=lambda name: (lamports[name], name)), "order of records")
    return names


def cbor_of_body(encoded):
    """The bytes of a record's body: what stands before the signature and its head."""
    return encoded[1:-66]


def heads(listed):
    return [(h(head["incarnation"]), h(head["scope"]), head["seq"], h(head["batch"]))
            for head in listed]


def outcome(facts, names):
    """Checks what a set of records comes to by the rule."""
    rule = Rule([(name, read(h(record))[0]) for name, record in zip(names, facts["records"])])
    found, what = facts["outcome"], facts["name"]
    members = [device for device in sorted(rule.devices) if rule.is_member(device)]
    same([one["device"] for one in found["members"]], [one.hex() for one in members], what)
    for one in found["members"]:
        role, scopes = rule.role(h(one["device"]))
        same(one["role"], role, what + ": role")
        same(one["scopes"], scopes and [scope.hex() for scope in scopes], what + ": scopes")
        same(h(one["admission"]) in rule.good, True, what + ": admission")
    same(found["void"], sorted(name.hex() for name in names if name not in rule.good), what)
    lost = set().union(*rule.lost.values())
    same(found["lost"], sorted(device.hex() for device in lost), what + ": lost")
    for one in found["restrictions"]:
        name = h(one["record"])
        yes, no, is_fork = rule.ballots.get(name, ((), (), False))
        same(one["stands"], name in rule.standing, what + ": stands")
        same(one["isForked"], is_fork, what + ": fork")
        same(one["for"], sorted(device.hex() for device in yes), what + ": for")
        same(one["against"], sorted(device.hex() for device in no), what + ": against")
    key, usable = rule.key_in_force(), [name.hex() for name in rule.usable()]
    same(found["recoveryKey"], key and key.hex(), what + ": recovery key")
    same(found["usableEpochs"], usable, what + ": usable epochs")
    same(found["currentEpoch"], usable[0] if usable else None, what + ": current epoch")
    same(found["freezing"], sorted(name.hex() for name in rule.freezing()), what + ": freezing")
    for one in found["batches"]:
        counts = one["counts"]
        if isinstance(counts, dict):
            counts = ([h(scope) for scope in counts["scopes"]], heads(counts["heads"]))
        elif not isinstance(counts, str):
            counts = heads(counts)
        same(counts, rule.counts(h(one["device"])), what + ": batches")


def membership(file):
    group = h(file["group"])
    for facts in file["sets"]:
        outcome(facts, linked(facts["records"]))
    for log in file["logs"]:
        for record in log["records"]:
            body = h(record["body"])
            same(blake(b"linnet/member-id/1" + body).hex(), record["id"], "record id")
            Ed25519PublicKey.from_public_bytes(h(record["author"])).verify(
                h(record["signature"]), b"linnet/member/1" + body)
            same(record["record"], "82" + record["body"] + "5840" + record["signature"], "record")
    for epoch in file["epochs"]:
        number = epoch["number"].to_bytes(8, "big")
        for name in ("network", "data"):
            key = h(epoch[name + "Key"])
            commitment = blake(b"linnet/commit/1" + group + number, key=key)
            same(commitment.hex(), epoch[name + "Commitment"], "commitment")
        psk = kdf(h(epoch["networkKey"]), "linnet/psk/1", group)
        same(psk.hex(), epoch["presharedKey"], "pre-shared key")
        for box in epoch["boxes"]:
            ephemeral = X25519PrivateKey.from_private_bytes(h(box["ephemeralSecret"]))
            public = ephemeral.public_key().public_bytes(*RAW)
            same(public.hex(), box["box"][:64], "ephemeral key of a box")
        for wrapped in epoch["wrapped"]:
            key = kdf(h(epoch["dataKey"]), "linnet/wrap/1")
            data = xchacha_open(
                key, h(wrapped["nonce"]), h(wrapped["wrapped"]), h(wrapped["associatedData"]))
            same(data.hex(), wrapped["dataKey"], "wrapped key")


def form(typed):
    """A phrase as it is hashed; None for one that is too short or too long."""
    lowered = bytes(byte | 32 if 65 <= byte <= 90 else byte for byte in typed)
    phrase = b" ".join(lowered.translate(bytes.maketrans(b"\t\n\r-", b"    ")).split(b" "))
    phrase = b" ".join(part for part in phrase.split(b" ") if part)
    return phrase if len(typed) <= 1024 and len(phrase.decode()) >= 12 else None


def recovery(file):
    for facts in file["phrases"]:
        phrase = form(h(facts["typed"]))
        same(facts["phrase"], phrase and phrase.hex(), "phrase")
    for facts in file["keys"]:
        salt = blake(b"linnet/recovery/1" + h(facts["random"]))[:16]
        same(salt.hex(), facts["salt"], "salt")
        secret = Argon2id(
            salt=salt, length=64, iterations=3, lanes=4, memory_cost=65_536,
        ).derive(form(facts["phrase"].encode()))
        same(secret.hex(), facts["secret"], "secret of a phrase")
        sign = Ed25519PrivateKey.from_private_bytes(secret[:32])
        noise = kdf(secret[32:], "linnet/recovery/1", b"noise")
        public = {"sign": sign.public_key().public_bytes(*RAW)}
        for name, key in (("noise", noise), ("seal", secret[32:])):
            public[name] = X25519PrivateKey.from_private_bytes(key).public_key().public_bytes(*RAW)
        for name, key in public.items():
            same(key.hex(), facts[name], name + " of a recovery key")
        inner = cbor([1, *public.values(), facts["created"]])
        whole = b"\x82" + inner + b"\x58\x40" + sign.sign(b"linnet/cert/1" + inner)
        same(whole.hex(), facts["certificate"], "certificate of a recovery key")
    for facts in file["wipes"]:
        wipes(facts, linked(facts["records"]))


def wipes(facts, names):
    """Checks whom a removed device obeys, and what it said."""
    rule = Rule([(name, read(h(record))[0]) for name, record in zip(names, facts["records"])])
    found = []
    for name in names:
        if rule.kind(name) != WIPE:
            continue
        device, removal, time = rule.payload(name)
        author = rule.author(name)
        obeyed = (
            name in rule.good and not rule.is_member(device) and author != device
            and removal in rule.standing and rule.kind(removal) == REMOVE
            and rule.before(removal, name)
            and device in [rule.target(removal)] + [one[0] for one in rule.payload(removal)[2]]
            and (author == rule.author(removal)
                 or rule.is_member(author) and rule.role(author)[0] == ADMIN))
        answers = [one for one in names if rule.kind(one) == RECEIPT
                   and rule.author(one) == device and rule.payload(one)[0] == name]
        found.append({
            "record": name.hex(), "device": device.hex(), "by": author.hex(),
            "removal": removal.hex(), "time": time, "isObeyed": obeyed,
            "answer": answers[0].hex() if answers else None})
    same(found, facts["requests"], facts["name"])


def batch(facts, devices, group, is_void=False):
    device = devices[facts["by"]]
    header = cbor([
        1, group, h(device["sign"]["public"]), h(device["incarnation"]), h(facts["scope"]),
        int(facts["seq"]), h(facts["prev"]), h(facts["epoch"]), h(facts["nonce"])])
    same(header.hex(), facts["header"], "header")
    key = kdf(h(facts["dataKey"]), "linnet/batch-key/1", h(device["author"]) + h(facts["scope"]))
    same(key.hex(), facts["batchKey"], "batch key")
    plaintext = xchacha_open(key, h(facts["nonce"]), h(facts["ciphertext"]), header)
    same(plaintext.hex(), facts["plaintext"], "plaintext")
    identity = blake(b"linnet/batch-id/1" + header + blake(h(facts["ciphertext"])))
    same(identity.hex(), facts["id"], "batch id")
    Ed25519PublicKey.from_public_bytes(h(device["sign"]["public"])).verify(
        h(facts["signature"]), b"linnet/batch/1" + identity)
    message = cbor([0, header, h(facts["ciphertext"]), h(facts["signature"])])
    same(message.hex(), facts["message"], "message")
    if is_void:
        return
    length = int.from_bytes(plaintext[2:6], "big")
    if plaintext[1]:
        inflate = zlib.decompressobj(-15)
        body = inflate.decompress(plaintext[6:])
        used = len(plaintext) - 6 - len(inflate.unused_data)
    else:
        body, used = plaintext[6:6 + length], length
    same(body.hex(), facts["body"], "body")
    same(len(body), length, "length of the body")
    same(len(plaintext), padme(6 + used), "padded length")
    if plaintext[0] in (16, 17, 18, 19):
        restates = facts["restates"]
        name = [h(restates["incarnation"]), int(restates["seq"]), restates["indices"]]
        if plaintext[0] > 17:
            name = [h(restates["group"]), h(restates["device"])] + name
        start = (b"\x83" if plaintext[0] in (16, 18) else b"") + cbor(name)
        same(body.startswith(start), True, "the batch that is said again")
    if plaintext[0] in (0, 16, 18):
        rows = [
            b"\x87" + b"".join(cbor(part) for part in (
                o["collection"], o["record"], o["generation"], o["field"], o["kind"],
                int(o["stampDelta"]))) + h(o["payload"]) for o in facts["operations"]]
        count = cbor([0] * len(rows))[:-len(rows) or None]
        same(body.endswith(count + b"".join(rows)), True, "rows of operations")


def shown(facts):
    whole = b"linnet/digest/1"
    for part in facts["parts"]:
        same(blake(b"".join(h(record) for record in part["records"])).hex(), part["hash"], "part")
        whole += cbor([part["scope"], part["collection"]]) + h(part["hash"])
    same(blake(whole).hex(), facts["digest"], "digest")
    whole = b"linnet/digest/2"
    for part in facts["parts"]:
        # The id is the second element of a record, which may have a tail.
        records = [(item(h(record))[0][1], h(record)) for record in part["records"]]
        whole += cbor([part["scope"], part["collection"]]) + root(records)
    same(blake(whole).hex(), facts["treeDigest"], "tree digest")


def zeros(name):
    found = blake(b"linnet/page-end/1" + name.encode())
    return len(found) - len(found.lstrip(b"\0"))


def cut(level, parts):
    """Joins (zeros, bytes) that stand side by side into hashes of a level."""
    nodes, inside = [], b""
    for place, (count, data) in enumerate(parts):
        inside += data
        if count > level or place == len(parts) - 1:
            nodes.append((count, blake(b"linnet/page/1" + bytes([level]) + inside)))
            inside = b""
    return nodes


def root(records):
    """The root above records (id, bytes), as the page says."""
    nodes, level = cut(0, [(zeros(name), data) for name, data in records]), 0
    while len(nodes) > 1:
        level += 1
        nodes = cut(level, nodes)
    return nodes[0][1]


def pages(facts):
    records = [(record["id"], h(record["record"])) for record in facts["records"]]
    same(root(records).hex(), facts["root"], "root of pages")
    whole = b"linnet/digest/2" + cbor([facts["scope"], facts["collection"]]) + root(records)
    same(blake(whole).hex(), facts["digest"], "digest of pages")


def frames(session):
    for frame in session["frames"]:
        key = ChaCha20Poly1305(h(session["handshake"][frame["from"] + "Key"]))
        nonce = bytes(4) + int(frame["number"]).to_bytes(8, "little")
        same(key.decrypt(nonce, h(frame["ciphertext"]), b"").hex(), frame["plaintext"], "frame")


def vector(facts):
    """The digest of a vector: every chain as it is held, with full ids."""
    scopes = {}
    for chain in facts["chains"]:
        scopes.setdefault(h(chain["scope"]), []).append(
            [h(chain["chain"]), int(chain["stored"]), h(chain["head"])])
    listing = [[scope, sorted(chains)] for scope, chains in sorted(scopes.items())]
    same(blake(b"linnet/vector/1" + cbor(listing)).hex(), facts["vectorDigest"], "vector digest")


def messages(session, side, name):
    """The bodies of one side's messages of one name."""
    return [
        read(h(message["body"])) for frame in session["frames"] if frame["from"] == side
        for message in frame["messages"] if message["name"] == name]


def healed(facts):
    """A fork that was found: the proof holds, and each branch is listed by its own name."""
    session, held = facts["session"], {chain["chain"] for chain in facts["chains"]}
    sides = ("initiator", "responder")
    proof, = [one for side in sides for one in messages(session, side, "fork")]
    heads, branches = [], {}
    for header, ciphertext_hash, signature in proof:
        identity = blake(b"linnet/batch-id/1" + header + ciphertext_hash)
        fields = read(header)
        Ed25519PublicKey.from_public_bytes(fields[2]).verify(
            signature, b"linnet/batch/1" + identity)
        author = blake(b"linnet/author/1" + fields[2] + fields[3], 16)
        heads.append(fields[1:7])
        branches[identity.hex()] = blake(
            b"linnet/fork/1" + author + fields[4] + fields[5].to_bytes(8, "big") + identity, 16)
    same(heads[0], heads[1], "what both headers of a proof say")
    same(len(branches), 2, "two histories")
    same({name.hex() for name in branches.values()} <= held, True, "both branches are held")
    for side in sides:
        listed = {
            head[0] for ack in messages(session, side, "ack")
            for part in ack if isinstance(part, list)
            for line in part if isinstance(line[0], bytes) for head in line[1]}
        own = branches[facts["held"][side][1]["id"]]
        same(own in listed, True, "each side lists its branch by its name")


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    keys(files["keys"])
    membership(files["membership"])
    recovery(files["recovery"])
    scoped_batch(files["keys"]["scopedBatch"])
    grant(files["keys"]["grant"], files["keys"]["devices"], h(files["membership"]["group"]))
    devices = {device["name"]: device for device in files["keys"]["devices"]}
    group = h(files["membership"]["group"])
    for name in ("batches", "merging"):
        for story in files[name]["stories"]:
            for facts in story["batches"]:
                batch(facts, devices, group)
            shown(story["shown"])
    forks = files["forks"]
    for facts in forks["trunk"] + forks["left"] + forks["right"] + forks["readers"]["batches"]:
        batch(facts, devices, group)
    shown(forks["shown"])
    shown(forks["readers"]["shown"])
    for branch in forks["branches"]:
        name = blake(
            b"linnet/fork/1" + h(forks["author"]) + h(forks["scope"])
            + forks["divergesAt"].to_bytes(8, "big") + h(branch["first"]), 16)
        same(name.hex(), branch["chain"], "branch")
    for facts in files["refused"]["void"]:
        batch(facts["batch"], devices, group, is_void=True)
    for facts in files["session"]["sessions"]:
        for one in facts["held"]["initiator"] + facts["held"]["responder"]:
            batch(one, devices, group)
        frames(facts["session"])
        vector(facts)
        shown(facts["shown"])
    healed(files["session"]["sessions"][1])
    frames(files["pairing"]["code"]["session"])
    pages(files["pages"])
    for tag in files["discovery"]["tags"]:
        key = kdf(h(tag["networkKey"]), "linnet/disc/1")
        text = tag["instance"].encode() + tag["port"].to_bytes(2, "big")
        same(blake(text + tag["hour"].to_bytes(8, "big"), key=key)[:8].hex(), tag["tag"], "tag")
    print(f"{checked} facts are so")


if __name__ == "__main__":
    main()
