"""The time that a seed may take, in seconds of the processor: others pass on a busy machine."""

import os
import queue
import signal
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
# Whoever waits for something uses no processor, and is given up all the same.
BUSIEST = 20


class Standstill(Exception):
    """No line came for too long; the processes are ended."""


class Patience:
    """Begins now, for the processes that one process started."""

    def __init__(self, pid, seconds):
        self.pid = pid
        self.seconds = seconds
        self.used = processor_seconds(pid)
        self.start = time.monotonic()

    def is_over(self):
        elapsed = time.monotonic() - self.start
        return (processor_seconds(self.pid) - self.used >= self.seconds
                or elapsed >= BUSIEST * self.seconds)


def patient_lines(process, seconds):
    """The lines of a process as they come; ends it when none comes for too long."""
    lines = queue.Queue()

    def read_all():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read_all, daemon=True).start()
    patience = Patience(process.pid, seconds)
    while True:
        try:
            line = lines.get(timeout=1)
        except queue.Empty:
            if not patience.is_over():
                continue
            end_family(process.pid)
            raise Standstill() from None
        if line is None:
            return
        patience = Patience(process.pid, seconds)
        yield line


def family(pid):
    """A process and all that it started and that still run."""
    found = [pid]
    for each in found:
        found += map(int, read(f"/proc/{each}/task/{each}/children").split())
    return found


def processor_seconds(pid):
    """What these processes used, and those of them that have ended."""
    ticks = 0
    for each in family(pid):
        # The name of a program may hold spaces and brackets.
        fields = read(f"/proc/{each}/stat").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def end_family(pid):
    """Ends them all: a worker that computes for ever does not see that nobody listens."""
    for each in family(pid):
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass


def read(path):
    """The text of a file of the kernel; none once the process is gone."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
