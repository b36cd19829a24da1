"""The planted bugs as they stand in Simulations/Mutants, and where they go in the sources."""

import re
from dataclasses import dataclass, field

INVARIANTS = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I13", "I14",
              "I15", "I16", "I17", "I18", "I19", "I20", "G1", "G2", "G3", "G4", "G5", "L1", "L2",
              "E1", "F1", "P1", "P2", "M1", "M2", "M3", "M4", "S1", "S2", "S3", "W1", "W2",
              "liveness"]
GROUPS = ["clock", "merge", "delete", "vector", "apply", "storage", "recovery", "session",
          "identity", "lanes", "medication", "travel", "widgets",
          "extremes", "saboteur", "membership", "mailbox", "attachments", "editors",
          "compaction"]
# Where bugs of an application are looked for: where people use it.
SCENARIOS = {"extremes": "extremes", "lanes": "companion", "medication": "medication",
             "travel": "travel", "widgets": "widget", "saboteur": "saboteur",
             "membership": "membership", "mailbox": "mailbox-only",
             "attachments": "attachments", "editors": "editors",
             "compaction": "compaction"}
KEYS = {"bug", "seen", "invariant", "scenario", "file", "kind"}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


class Trouble(Exception):
    """What is wrong, in a sentence."""


@dataclass
class Mutant:
    name: str
    group: str
    bug: str = ""
    seen: str = ""
    invariant: str = ""
    # Where it is looked for, when that is not where the bugs of its group are.
    scenario: str = ""
    file: str = ""
    kind: str = ""
    original: str = ""
    mutated: str = ""
    number: int = 0
    # Where the code to be replaced begins and ends in its file.
    span: tuple = field(default=(0, 0))


def read_all(folder):
    """Every planted bug, numbered from 1 in the order of the groups."""
    mutants = []
    for path in sorted(folder.glob("*.txt")):
        if path.stem not in GROUPS:
            raise Trouble(f"{path.name} is no group: {', '.join(GROUPS)}")
        mutants += read(path)
    mutants.sort(key=lambda mutant: GROUPS.index(mutant.group))
    names = [mutant.name for mutant in mutants]
    for name in names:
        if names.count(name) > 1:
            raise Trouble(f"two bugs are named {name}")
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    return mutants


def read(path):
    """The bugs of one group: a heading, keys with values, the two pieces of code."""
    mutants = []
    part = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("# "):
            mutants.append(Mutant(line[2:].strip(), path.stem))
            part = "keys"
        elif line in ("--- original", "+++ mutated"):
            part = line[4:]
        elif part in ("original", "mutated"):
            setattr(mutants[-1], part, getattr(mutants[-1], part) + line + "\n")
        elif line.strip():
            key, colon, value = line.partition(": ")
            if part != "keys" or not colon or key not in KEYS or getattr(mutants[-1], key):
                raise Trouble(f"{path.name}:{number}: {line}")
            setattr(mutants[-1], key, value.strip())
    for mutant in mutants:
        judge(mutant)
    return mutants


def judge(mutant):
    """Throws unless every field is there and legal."""
    mutant.original = mutant.original.strip("\n")
    mutant.mutated = mutant.mutated.strip("\n")
    problems = []
    if not NAME.fullmatch(mutant.name):
        problems.append("its name is not in kebab case")
    if not mutant.bug.endswith("."):
        problems.append("'bug' is no sentence")
    if mutant.invariant not in INVARIANTS:
        problems.append(f"'invariant' is none of {', '.join(INVARIANTS)}")
    if mutant.kind not in ("statement", "expression"):
        problems.append("'kind' is neither statement nor expression")
    if not mutant.original.strip():
        problems.append("there is no original")
    if mutant.kind == "expression" and not mutant.mutated.strip():
        problems.append("an expression needs another in its place")
    marks = re.findall("[«»]", mutant.original)
    if marks not in ([], ["«", "»"]):
        problems.append("«…» marks one piece of the original")
    if problems:
        raise Trouble(f"{mutant.name}: {'; '.join(problems)}")


def locate(mutants, top):
    """Finds the place of every bug; spaces and line breaks count alike."""
    for mutant in mutants:
        path = top / mutant.file
        if not mutant.file.startswith("Sources/") or not path.is_file():
            raise Trouble(f"{mutant.name}: there is no file {mutant.file}")
        found = list(re.finditer(pattern(mutant.original), path.read_text()))
        if len(found) != 1:
            raise Trouble(f"{mutant.name}: its original stands {len(found)} times in {mutant.file}")
        mutant.span = found[0].span("piece")
    for mutant in mutants:
        for other in mutants:
            if crosses(mutant, other):
                raise Trouble(f"{mutant.name} and {other.name} overlap by halves")


def crosses(mutant, other):
    if mutant.file != other.file:
        return False
    if mutant.span == other.span:
        return mutant.kind != other.kind
    return mutant.span[0] < other.span[0] < mutant.span[1] < other.span[1]


def pattern(original):
    """A pattern in which any space matches any other, with the piece to replace as a group."""
    if "«" not in original:
        original = "«" + original.strip() + "»"
    before, rest = original.strip().split("«")
    piece, after = rest.split("»")
    return loose(before) + "(?P<piece>" + loose(piece) + ")" + loose(after)


def loose(text):
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))
