"""The fleets that are searched: small ones whole, larger ones by chance."""

from .world import Plan

EVERYTHING = (
    "newcomer", "removal", "turn", "extend", "lapse", "restore", "rollback", "clone", "twin",
    "parts", "key", "item", "rewrite",
)

# What is drawn from, seed by seed. All have at most three troubles that befall them.
FLEETS = [
    Plan(2, 8, 6),
    Plan(3, 8, 5, ("reader", "mail", "parts")),
    Plan(2, 8, 6, EVERYTHING, 3, 1),
    Plan(3, 8, 6, EVERYTHING, 3, 1),
    Plan(2, 8, 6, ("restore", "rollback", "clone", "twin"), 3, 1),
    Plan(3, 8, 6, ("restore", "rollback", "item", "lapse", "rewrite"), 3),
    Plan(3, 8, 6, ("newcomer", "lapse", "removal"), 3, 1),
    Plan(3, 8, 6, ("removal", "turn", "extend"), 3),
    Plan(4, 8, 5, EVERYTHING, 3, 1),
    Plan(3, 8, 5, EVERYTHING + ("mail",), 3, 1),
    Plan(2, 8, 6, ("mail", "parts", "key", "restore"), 2),
    Plan(2, 10, 6, ("item", "restore"), 1),
    Plan(3, 8, 6, ("lapse", "rewrite", "clone", "rollback"), 3, 1),
]

# All histories of these are played, the shortest first, up to so many states. The first three are
# small enough to be played whole.
WHOLE = [
    ("two devices that write twice and cut once", Plan(2, 2, 1), 100_000),
    ("two devices that write once and cut twice", Plan(2, 1, 2), 100_000),
    ("three devices that write once and cut once", Plan(3, 1, 1), 100_000),
    ("two devices that write twice and cut twice", Plan(2, 2, 2), 60_000),
    ("three devices that write twice and cut once", Plan(3, 2, 1), 30_000),
    ("the same two, one is removed", Plan(2, 2, 1, ("removal",), 1), 30_000),
    ("the same two, one lapses and returns", Plan(2, 2, 1, ("lapse",), 1), 30_000),
    ("the same two, one is put back", Plan(2, 2, 1, ("restore",), 1), 30_000),
    ("the same two, one is put back unnoticed", Plan(2, 2, 1, ("rollback",), 1), 30_000),
    ("the same two, one lets in a third", Plan(2, 1, 1, ("newcomer",), 1, 1), 30_000),
]
QUICK = WHOLE[:3]
