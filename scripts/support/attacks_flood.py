"""Strangers without a key: what they send, how many they are, how slow they are."""

import os
import statistics
import threading
import time

from attempts import happens
from wire import Stranger, frame, preface

# Two seconds for each message and five for the whole handshake; the rest is for a busy machine.
SILENCE_SECONDS = 9
MEMBER_SECONDS = 10


def ends(ward, data, then_end=False, seconds=SILENCE_SECONDS, answer=(0, 24)):
    """Sends bytes to the device from a fresh address: a problem, or None when it closed."""
    with ward.stranger() as stranger:
        stranger.send(data)
        if then_end:
            stranger.socket.shutdown(1)
        if not stranger.is_closed(seconds):
            return f"still open after {seconds} s"
        if len(stranger.received) not in answer:
            return f"{len(stranger.received)} bytes came back"
    return None


def in_parallel(jobs):
    """Runs jobs side by side; what they returned, in order."""
    results = [None] * len(jobs)

    def work(index, job):
        try:
            results[index] = job()
        except OSError as error:
            results[index] = f"could not connect: {error}"
    threads = [threading.Thread(target=work, args=each) for each in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def malformed(ward, random):
    """Wrong lengths, cut and oversized frames, and noise; each must end the link."""
    for length in (0, 15, 47, 49, 65535):
        lie = frame(b"", length)
        problems = in_parallel([
            lambda: ends(ward, preface() + lie),
            lambda: ends(ward, preface() + lie + bytes(16)),
            lambda: ends(ward, lie)])
        ward.report.case(
            problems == [None] * 3, f"length {length}, then silence, ends the link",
            str(problems))
    problems = []
    for start in range(0, 74, 10):
        whole = preface() + frame(os.urandom(48))
        problems += in_parallel([
            lambda cut=cut, end=end: ends(ward, whole[:cut], then_end=end)
            for cut in range(start, min(start + 5, 74)) for end in (True, False)])
    ward.report.case(
        not any(problems), "a handshake cut after any byte ends the link, with and without an end"
        " of the stream", str([p for p in problems if p][:5]))
    problems = [ends(ward, preface() + frame(os.urandom(size))) for size in
                (1, 16, 47, 49, 64, 96, 1000, 65535)]
    problems.append(ends(ward, preface() + os.urandom(1 << 20)))
    ward.report.case(
        not any(problems), "frames that are too short and too long end the link", str(problems))
    problems = [ends(ward, random.randbytes(random.randrange(1, 5000)), then_end=flip % 2 == 0)
                for flip in range(60)]
    problems += [ends(ward, b"LNT1" + random.randbytes(random.randrange(1, 5000)), then_end=True)
                 for _ in range(60)]
    ward.report.case(
        not any(problems), "random bytes end the link", str([p for p in problems if p][:5]))
    ward.is_well("malformed frames")


def probe_identity(ward, count):
    """A stranger without the key asks a thousand times who is there."""
    wrong, endings, nonces, times = [], set(), set(), []
    for _ in range(count):
        with ward.stranger() as stranger:
            stranger.send(preface())
            stranger.read(24)
            began = time.monotonic()
            stranger.send(frame(os.urandom(48)))
            closed = stranger.is_closed(5)
            times.append(time.monotonic() - began)
            endings.add(stranger.ending)
            nonces.add(stranger.received[8:24])
            if not closed or len(stranger.received) != 24:
                wrong.append(f"closed {closed}, {len(stranger.received)} bytes")
    ward.report.case(
        not wrong and len(endings) == 1, f"{count} probes get a preface and the same closed link",
        f"{len(wrong)} wrong: {wrong[:3]}, endings {endings}")
    ward.report.case(
        len(nonces) == count, "every preface carries a fresh nonce", f"{len(nonces)} nonces")
    ward.report.figures["probes"] = count
    ward.report.figures["probeMedianMilliseconds"] = round(statistics.median(times) * 1000, 2)
    ward.is_well(f"{count} probes")


def silence_of_a_source(ward):
    """One address that fails too often is silenced; others and members are not."""
    refused = 0
    for _ in range(60):
        with Stranger(ward.laptop.own_port, "127.0.0.254") as stranger:
            stranger.send(preface() + frame(os.urandom(48)))
            stranger.is_closed(5)
            refused += len(stranger.received) == 0
    with ward.stranger() as other:
        other.send(preface())
        heard = other.read(24)
    ward.report.case(
        refused > 0 and heard, "an address that fails often is silenced, another one is not",
        f"{refused} of 60 refused, the other heard {heard}")
    ward.is_well("a silenced address")


def idle_connections(ward, count):
    """A thousand connections that say nothing: all are closed, and members come through."""
    strangers = []
    began = time.monotonic()
    for _ in range(count):
        strangers.append(ward.stranger())
    synced = happens(ward.sync, MEMBER_SECONDS)
    synced_after = time.monotonic() - began
    still_open = []
    for stranger in strangers:
        if not stranger.is_closed(max(0.01, began + 30 - time.monotonic())):
            still_open.append(stranger)
    for stranger in strangers:
        stranger.close()
    ward.report.case(
        not still_open, f"{count} idle connections are closed by the device",
        f"{len(still_open)} stayed open")
    ward.report.case(synced, f"a member connects while {count} connections idle")
    ward.report.figures["idleConnections"] = count
    ward.report.figures["memberDuringIdleSeconds"] = round(synced_after, 2)
    ward.is_well(f"{count} idle connections")


class SlowLoris(threading.Thread):
    """Keeps places taken: a byte a second on each link, and a new link for each that ends."""

    def __init__(self, ward, source, links, stop):
        super().__init__(daemon=True)
        self.ward, self.source, self.count, self.stop = ward, source, links, stop
        self.closed = self.opened = 0
        self.longest = 0.0

    def run(self):
        links = []
        while not self.stop.is_set():
            while len(links) < self.count:
                try:
                    stranger = Stranger(self.ward.laptop.own_port, self.source)
                except OSError:
                    break
                self.opened += 1
                links.append((stranger, iter(preface() + frame(os.urandom(48))),
                              time.monotonic()))
            for link in list(links):
                stranger, data, began = link
                stranger.send(bytes([next(data, 0)]))
                if stranger.is_closed(0.01):
                    self.closed += 1
                    self.longest = max(self.longest, time.monotonic() - began)
                    stranger.close()
                    links.remove(link)
            self.stop.wait(1)
        for stranger, _, _ in links:
            stranger.close()


def slow_loris(ward, addresses):
    """Slow strangers that come again and again, from one address and from twenty."""
    stop = threading.Event()
    threads = [SlowLoris(ward, f"127.0.0.{200 + n}", 4, stop) for n in range(addresses)]
    for thread in threads:
        thread.start()
    happens(lambda: sum(thread.opened for thread in threads) >= 4 * addresses, 10)
    times = []
    for _ in range(5):
        began = time.monotonic()
        if happens(ward.sync, 3 * MEMBER_SECONDS):
            times.append(time.monotonic() - began)
    stop.set()
    for thread in threads:
        thread.join()
    ward.report.case(
        len(times) == 5 and max(times) < MEMBER_SECONDS,
        f"a member connects while slow strangers from {addresses} addresses come again and again",
        f"seconds: {[round(t, 1) for t in times]}")
    longest = max(thread.longest for thread in threads)
    ward.report.case(
        longest < SILENCE_SECONDS, f"no slow link of {addresses} addresses outlives its time",
        f"{longest:.1f} s")
    ward.report.figures[f"memberDuringLoris{addresses}Seconds"] = [round(t, 2) for t in times]
    ward.is_well(f"slow strangers from {addresses} addresses")
