"""A man in the middle: passes the units of a link on, and may do anything to them."""

import socket
import struct
import threading
import time

from wire import PREFACE_BYTES

TO_RESPONDER, TO_INITIATOR = 0, 1


def honest(direction, index, unit):
    """Passes everything on; what an attack does instead has the same form.

    Unit 0 of a direction is the preface, the others are frames. The answer is a list of bytes to
    send, or None to pass nothing on from here.
    """
    return [unit]


class Relay:
    """Listens like a device and passes each link on to one, from another source address."""

    def __init__(self, port, sources):
        self._port, self._sources = port, sources
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.begin()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def begin(self, attack=honest, only_first=False):
        """Forgets earlier links; the next one meets `attack`, and those after it perhaps too."""
        self._attack, self._only_first = attack, only_first
        self.links = []

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.socket()
                far.bind((self._sources.take(), 0))
                far.connect(("127.0.0.1", self._port))
            except OSError:
                if self._listener.fileno() < 0:
                    return
                near.close()
                continue
            attack = honest if self.links and self._only_first else self._attack
            self.links.append(RelayedLink(near, far, attack))


class RelayedLink:
    """One link through the relay; the relay itself never ends it."""

    def __init__(self, near, far, attack):
        self._sockets = [near, far]
        self._attack = attack
        # What each direction's sender really sent, unit by unit.
        self.units = [[], []]
        self.ended_first = None
        self._over = [threading.Event(), threading.Event()]
        self._silenced = [False, False]
        for direction in (TO_RESPONDER, TO_INITIATOR):
            threading.Thread(target=self._pump, args=(direction,), daemon=True).start()

    def byte_count(self, direction):
        return sum(len(unit) for unit in self.units[direction])

    def is_over(self, seconds):
        """Whether both ends have closed by themselves, within the time."""
        deadline = time.monotonic() + seconds
        return all(over.wait(max(0, deadline - time.monotonic())) for over in self._over)

    def abandon(self):
        for each in self._sockets:
            each.close()

    def _pump(self, direction):
        source, target = self._sockets[direction], self._sockets[1 - direction]
        buffer = b""
        while True:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            if not data:
                break
            buffer += data
            while unit := self._unit(direction, buffer):
                buffer = buffer[len(unit):]
                self.units[direction].append(unit)
                self._pass_on(direction, unit, target)
        if self.ended_first is None:
            self.ended_first = direction
        self._over[direction].set()
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        if all(over.is_set() for over in self._over):
            self.abandon()

    def _unit(self, direction, buffer):
        size = PREFACE_BYTES
        if self.units[direction]:
            if len(buffer) < 2:
                return None
            size = 2 + struct.unpack(">H", buffer[:2])[0]
        return buffer[:size] if len(buffer) >= size else None

    def _pass_on(self, direction, unit, target):
        if self._silenced[direction]:
            return
        index = len(self.units[direction]) - 1
        altered = self._attack(direction, index, unit)
        if altered is None:
            self._silenced[direction] = True
            return
        for data in altered:
            try:
                target.sendall(data)
            except OSError:
                return
