"""Proof that the alarms ring: each checker meets something that it must find."""

import os
import socket
import subprocess
import sys
import threading

import ward as wards
from attacks_handshake import flipped
from ledger import Ledger
from wire import Stranger, frame, preface


def canaries(report):
    """Whether every checker finds what was planted for it."""
    report.case(growth_is_seen(), "canary: a process that grows is found")
    closes, says = server_is_seen(b"", closes=False)
    report.case(not closes, "canary: a server that does not close the link is found")
    closes, says = server_is_seen(b"!", closes=True)
    report.case(
        closes and says == 25, "canary: a server that says a byte too many is found", str(says))
    unit = os.urandom(50)
    changed = sum(a != b for a, b in zip(unit, flipped(unit, 17, 5)))
    report.case(changed == 1, "canary: a flipped bit changes exactly one byte")
    ledger = Ledger()
    ledger.attempt("record", "kept")
    ledger.outcome("record", "kept", True)
    report.case(
        ledger.judge({}) and not ledger.judge({"record": "kept"}),
        "canary: a lost acknowledged write is found")


def growth_is_seen():
    grower = subprocess.Popen(
        [sys.executable, "-c",
         "import sys\nprint('small', flush=True)\nsys.stdin.readline()\n"
         "block = bytes(range(256)) * 32768\nprint('grown', flush=True)\nsys.stdin.readline()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        grower.stdout.readline()
        baseline = wards.resident_kib(grower.pid)
        if not wards.is_back(grower.pid, baseline, seconds=1):
            return False
        grower.stdin.write("\n")
        grower.stdin.flush()
        grower.stdout.readline()
        return not wards.is_back(grower.pid, baseline, seconds=2)
    finally:
        grower.kill()
        grower.wait()


def server_is_seen(extra, closes):
    """A server that answers the preface, then `extra`: how the attacker's eyes see it."""
    listener = socket.create_server(("127.0.0.1", 0))
    held = []

    def serve():
        link, _ = listener.accept()
        held.append(link)
        link.recv(24, socket.MSG_WAITALL)
        link.sendall(preface())
        link.recv(50, socket.MSG_WAITALL)
        link.sendall(extra)
        if closes:
            link.close()

    threading.Thread(target=serve, daemon=True).start()
    with Stranger(listener.getsockname()[1], "127.0.0.2") as stranger:
        stranger.send(preface() + frame(os.urandom(48)))
        closed = stranger.is_closed(1)
    for link in held:
        link.close()
    listener.close()
    return closed, len(stranger.received)
