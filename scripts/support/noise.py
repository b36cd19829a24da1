"""The attacker's own Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b, so that it can say illegal things.

It follows docs/protocol.md and the specifications, is slow and not constant in time.
"""

import hashlib
import hmac
import os
import struct

PRIME = 2**255 - 19


def x25519(scalar, point):
    """RFC 7748 section 5; gives 32 zero bytes for a point of low order."""
    clamped = bytearray(scalar)
    clamped[0] &= 248
    clamped[31] = clamped[31] & 127 | 64
    k = int.from_bytes(clamped, "little")
    x1 = int.from_bytes(point, "little") % 2**255
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % PRIME, b * b % PRIME, d * a % PRIME, c * b % PRIME
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % PRIME, x1 * (da - cb) ** 2 % PRIME
        x2, z2 = aa * bb % PRIME, e * (aa + 121665 * e) % PRIME
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def chacha_block(key, counter, nonce):
    """RFC 8439 section 2.3."""
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter)
                               + nonce))
    s = start[:]

    def quarter(a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = s[x] + s[y] & 0xFFFFFFFF
            s[z] ^= s[x]
            s[z] = (s[z] << turn | s[z] >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for column in range(4):
            quarter(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return struct.pack("<16I", *((x + y) & 0xFFFFFFFF for x, y in zip(s, start)))


def _crypt(key, nonce, text):
    stream = b"".join(
        chacha_block(key, 1 + index, nonce) for index in range((len(text) + 63) // 64))
    return bytes(x ^ y for x, y in zip(text, stream))


def _tag(key, nonce, data, text):
    once = chacha_block(key, 0, nonce)
    r = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    padded = data + bytes(-len(data) % 16) + text + bytes(-len(text) % 16)
    padded += struct.pack("<QQ", len(data), len(text))
    sum_ = 0
    for index in range(0, len(padded), 16):
        sum_ = (sum_ + int.from_bytes(padded[index:index + 16] + b"\1", "little")) * r
        sum_ %= 2**130 - 5
    return ((sum_ + int.from_bytes(once[16:32], "little")) % 2**128).to_bytes(16, "little")


class Cipher:
    """The specification's CipherState."""

    def __init__(self, key=None):
        self.key, self.number = key, 0

    def _nonce(self):
        nonce = bytes(4) + struct.pack("<Q", self.number)
        self.number += 1
        return nonce

    def encrypt(self, data, text):
        if self.key is None:
            return text
        nonce = self._nonce()
        sealed = _crypt(self.key, nonce, text)
        return sealed + _tag(self.key, nonce, data, sealed)

    def decrypt(self, data, sealed):
        if self.key is None:
            return sealed
        nonce, sealed, tag = self._nonce(), sealed[:-16], sealed[-16:]
        if not hmac.compare_digest(_tag(self.key, nonce, data, sealed), tag):
            raise ValueError("bad tag")
        return _crypt(self.key, nonce, sealed)


class Initiator:
    """The initiator of XXpsk0 with empty payloads."""

    def __init__(self, prologue, psk, static=None, ephemeral=None):
        self.static = static or os.urandom(32)
        self.ephemeral = ephemeral or os.urandom(32)
        name = b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
        self.hash = self.chain = name + bytes(64 - len(name))
        self.cipher, self.psk = Cipher(), psk
        self._mix_hash(prologue)

    def _mix_hash(self, data):
        self.hash = hashlib.blake2b(self.hash + data).digest()

    def _expand(self, material, count):
        secret = hmac.new(self.chain, material, hashlib.blake2b).digest()
        outputs = [b""]
        for index in range(count):
            outputs.append(
                hmac.new(secret, outputs[-1] + bytes([index + 1]), hashlib.blake2b).digest())
        return outputs[1:]

    def _mix_key(self, material):
        self.chain, key = self._expand(material, 2)
        self.cipher = Cipher(key[:32])

    def _seal(self, text):
        sealed = self.cipher.encrypt(self.hash, text)
        self._mix_hash(sealed)
        return sealed

    def _open(self, sealed):
        text = self.cipher.decrypt(self.hash, sealed)
        self._mix_hash(sealed)
        return text

    def first(self, public=None):
        """Message 1; `public` puts another ephemeral key in, such as one of low order."""
        self.chain, mixed, key = self._expand(self.psk, 3)
        self._mix_hash(mixed)
        self.cipher = Cipher(key[:32])
        public = public or x25519(self.ephemeral, (9).to_bytes(32, "little"))
        self._mix_hash(public)
        self._mix_key(public)
        return public + self._seal(b"")

    def second(self, message):
        """Reads message 2."""
        self.remote = message[:32]
        self._mix_hash(self.remote)
        self._mix_key(self.remote)
        self._mix_key(x25519(self.ephemeral, self.remote))
        self.remote_static = self._open(message[32:80])
        self._mix_key(x25519(self.ephemeral, self.remote_static))
        self._open(message[80:])

    def third(self, public=None):
        """Message 3, then the transport ciphers; `public` puts another static key in."""
        own = public or x25519(self.static, (9).to_bytes(32, "little"))
        sealed = self._seal(own)
        # With a key of low order both sides would compute zero.
        self._mix_key(bytes(32) if public else x25519(self.static, self.remote))
        message = sealed + self._seal(b"")
        sending, receiving = self._expand(b"", 2)
        self.sending, self.receiving = Cipher(sending[:32]), Cipher(receiving[:32])
        return message
