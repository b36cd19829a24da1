"""Looking for planted secrets in captures and files, in every form in which one could leak."""

import base64
import ctypes
import ctypes.util
import struct
from pathlib import Path

COOKED = 113  # LINKTYPE_LINUX_SLL, what `tcpdump -i any -y LINUX_SLL` writes.
TCP, UDP = 6, 17
EXTENSIONS = (0, 43, 60)  # IPv6 hop-by-hop, routing and destination options (RFC 8200).


def forms(secret):
    """The byte strings to look for, by the name of the form."""
    found = {"text": secret, "reversed": secret[::-1]}
    found["hex"] = secret.hex().encode()
    found["HEX"] = secret.hex().upper().encode()
    for shift in range(3):
        # Of the characters in the middle of a longer text only these depend on us alone.
        first, last = -(-shift * 8 // 6), (shift + len(secret)) * 8 // 6
        text = base64.b64encode(bytes(shift) + secret)[first:last]
        found[f"base64+{shift}"] = text
        found[f"base64url+{shift}"] = text.replace(b"+", b"-").replace(b"/", b"_")
    return found


class Capture:
    """A capture file: its bytes, and the streams that its TCP segments make."""

    def __init__(self, path):
        self.path = Path(path)
        self.bytes = self.path.read_bytes()
        self.packets = 0
        self.segments = {}
        for packet in self._packets():
            self.packets += 1
            self._take(packet)
        self.streams = {flow: join(parts) for flow, parts in self.segments.items()}

    def _packets(self):
        order = "<" if self.bytes[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
        kind = struct.unpack_from(order + "I", self.bytes, 20)[0] & 0xFFFF
        if kind != COOKED:
            raise ValueError(f"{self.path} has link type {kind}, not {COOKED}")
        offset = 24
        while offset + 16 <= len(self.bytes):
            taken, whole = struct.unpack_from(order + "II", self.bytes, offset + 8)
            if taken != whole:
                raise ValueError(f"{self.path} has packets that were cut short")
            yield self.bytes[offset + 16:offset + 16 + taken]
            offset += 16 + taken

    def _take(self, packet):
        protocol, packet = packet[14:16], packet[16:]
        if protocol == b"\x08\x00":
            header, length = (packet[0] & 15) * 4, int.from_bytes(packet[2:4], "big")
            kind, ends, packet = packet[9], packet[12:20], packet[header:length]
        elif protocol == b"\x86\xdd":
            length = 40 + int.from_bytes(packet[4:6], "big")
            kind, ends, packet = packet[6], packet[8:40], packet[40:length]
            while kind in EXTENSIONS:
                kind, packet = packet[0], packet[8 + packet[1] * 8:]
        else:
            return
        if kind == TCP and len(packet) >= 20:
            sequence = int.from_bytes(packet[4:8], "big")
            payload = packet[(packet[12] >> 4) * 4:]
            if payload:
                flow = (ends, packet[:4])
                self.segments.setdefault(flow, []).append((sequence, payload))


def join(segments):
    """One direction of a connection from its segments, repeated and reordered as they may be."""
    start = segments[0][0]
    # Relative to the first one, so that sequence numbers may wrap.
    placed = sorted(
        ((sequence - start + 2**31) % 2**32 - 2**31, payload) for sequence, payload in segments)
    stream, end = bytearray(), placed[0][0]
    for place, payload in placed:
        if place > end:
            stream += b"\0[a hole in the capture]\0"
            end = place
        stream += payload[max(0, end - place):]
        end = max(end, place + len(payload))
    return bytes(stream)


def key_secrets(path):
    """The secret parts of a key file without a passphrase: its wrap key and what that opens.

    The layout is that of Sources/LinnetMembership/Keys/KeyFile.swift.
    """
    file = Path(path).read_bytes()
    if len(file) != 274 or file[:6] != b"LNTK\x01\x00":
        raise ValueError(f"{path} is not a key file of version 1 without a passphrase")
    wrap, nonce, sealed = file[34:66], file[66:90], file[90:242]
    opened = ctypes.create_string_buffer(len(sealed))
    count = ctypes.c_ulonglong()
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    status = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        opened, ctypes.byref(count), None, sealed, ctypes.c_ulonglong(len(sealed)), file[:90],
        ctypes.c_ulonglong(90), nonce, wrap)
    if status != 0 or count.value != 136:
        raise ValueError(f"{path} does not open")
    return {"wrap key": wrap, "device secrets": opened.raw[8:136], "sealed secrets": sealed}


def windows(secret, count=16):
    """All runs of `count` bytes of a secret."""
    return [secret[start:start + count] for start in range(len(secret) - count + 1)]
