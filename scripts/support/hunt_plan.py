"""What a hunt has to run: strands of seeds, and the pieces of them that no record covers yet."""

from dataclasses import asdict, dataclass

from mutant_files import Trouble

# The scenarios that `all` leaves out, as `simulate --scenario all` does.
APART = {"mixed", "household", "canary"}


@dataclass(frozen=True)
class Strand:
    """Seeds one after the other, with one planted bug or none; several scenarios take turns."""

    scenarios: tuple
    first: int
    count: int
    mutant: str = ""
    # A strand that stops needs no seed after its first failure.
    stops: bool = False

    def key(self, index):
        """The names under which the seed at a place is recorded."""
        return self.mutant, self.scenarios[index % len(self.scenarios)], self.first + index


@dataclass(frozen=True)
class Piece:
    """The neighbouring seeds of one strand that one host is given at a time."""

    number: int
    strand: int
    offset: int
    count: int

    def order(self, strand):
        """What the host is told."""
        keys = [strand.key(self.offset + step) for step in range(self.count)]
        return {"piece": self.number, "mutant": strand.mutant, "stops": strand.stops,
                "jobs": [f"{scenario} {seed}" for _, scenario, seed in keys]}


def turns(listing):
    """The scenarios of `all`, read from `simulate --list`: mixed before each of the others."""
    names, inside = [], False
    for line in listing.splitlines():
        if not line.startswith(" "):
            inside = line == "scenarios"
        elif inside:
            names.append(line.split()[0])
    if "mixed" not in names:
        raise Trouble("`simulate --list` names no scenario 'mixed': is it this program's?")
    return tuple(turn for name in names if name not in APART for turn in ("mixed", name))


def wanted(strand, failed):
    """How many seeds of a strand are to be run, given which have failed."""
    if strand.stops:
        for index in range(strand.count):
            if strand.key(index) in failed:
                return index + 1
    return strand.count


def gaps(strand, done, failed):
    """The neighbouring seeds without a record, as (offset, count)."""
    found, start = [], None
    end = wanted(strand, failed)
    for index in range(end):
        if strand.key(index) not in done:
            start = index if start is None else start
        elif start is not None:
            found.append((start, index - start))
            start = None
    if start is not None:
        found.append((start, end - start))
    return found


def cut(strands, done, failed, size, number, most):
    """At most so many pieces of what is missing, numbered from `number` on."""
    pieces = []
    for place, strand in enumerate(strands):
        for offset, count in gaps(strand, done, failed):
            # What stops at a failure cannot be looked at in two places at once.
            step = count if strand.stops else size
            for begin in range(offset, offset + count, step):
                if len(pieces) == most:
                    return pieces
                held = min(step, offset + count - begin)
                pieces.append(Piece(number + len(pieces), place, begin, held))
            if strand.stops:
                break
    return pieces


def written(strands):
    """The strands as a file holds them."""
    return [{**asdict(strand), "scenarios": list(strand.scenarios)} for strand in strands]
