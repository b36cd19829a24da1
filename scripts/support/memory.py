"""Reads the memory of another process, as root may."""

import re


class Unreadable(Exception):
    """This user may not read the process's memory."""


def readable_memory(process):
    """Every readable stretch of a process's memory, one after the other."""
    try:
        with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
            for line in maps:
                match = re.match(r"([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \S+\s*(.*)", line)
                if not match or match[3].startswith(("[vvar", "[vsyscall")):
                    continue
                start, end = int(match[1], 16), int(match[2], 16)
                try:
                    memory.seek(start)
                    yield memory.read(end - start)
                except OSError:
                    continue
    except (PermissionError, ProcessLookupError) as problem:
        raise Unreadable(str(problem)) from None


def found_in_memory(process, secrets):
    """The names of those secrets of which 16 bytes in a row stand in a process's memory.

    Secrets are (name, bytes); pieces of 16 bytes at every fourth place are looked for.
    """
    pieces = [
        (name, secret[start:start + 16])
        for name, secret in secrets for start in range(0, max(1, len(secret) - 15), 4)]
    found = set()
    for stretch in readable_memory(process):
        found |= {name for name, piece in pieces if name not in found and piece in stretch}
    return found
