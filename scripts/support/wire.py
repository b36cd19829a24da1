"""Prefaces, frames and raw connections from any address of 127.0.0.0/8."""

import os
import socket
import struct
import time

PREFACE_BYTES = 24
MEMBER, PAIR_BY_CODE, PAIR_BY_TICKET = 0, 1, 2


def preface(mode=MEMBER, magic=b"LNT1", low=1, high=1, zero=0, nonce=None):
    return magic + bytes([low, high, mode, zero]) + (nonce or os.urandom(16))


def frame(body, length=None):
    """A frame; `length` lies about the body's."""
    return struct.pack(">H", len(body) if length is None else length) + body


class Sources:
    """Source addresses in turn, so that the limits for one address do not hide what is behind."""

    def __init__(self):
        self._next = 0

    def take(self):
        self._next = self._next % 249 + 1
        return f"127.0.0.{self._next + 1}"


class Stranger:
    """A raw connection to a device."""

    def __init__(self, port, source, seconds=5):
        self.received = b""
        self.ending = None
        self.socket = socket.socket()
        self.socket.settimeout(seconds)
        # The same pair of addresses may be used again at once, by another local port.
        self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        """Sends, unless the other side has closed."""
        try:
            self.socket.sendall(data)
        except OSError:
            pass

    def read(self, count, seconds=5):
        """Reads until `count` bytes have come in all; false when they do not."""
        return self._read(lambda: len(self.received) >= count, seconds)

    def is_closed(self, seconds):
        """Reads on until the other side closes; how it did is in `ending`."""
        self._read(lambda: False, seconds)
        return self.ending is not None

    def _read(self, is_enough, seconds):
        deadline = time.monotonic() + seconds
        while not is_enough() and self.ending is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                return False
            except OSError:
                self.ending = "reset"
                continue
            if data:
                self.received += data
            else:
                self.ending = "end"
        return is_enough()
