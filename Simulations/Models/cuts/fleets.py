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

# All histories of these are played, up to so many states.
WHOLE = [
    ("two devices that write twice and cut once", Plan(2, 2, 1), 100_000),
    ("two devices that write once, cut twice at once, one is removed", Plan(
        2, 1, 2, ("removal",), 1), 100_000),
    ("two devices that write twice, cut once, one lapses and returns", Plan(
        2, 2, 1, ("lapse",), 1), 100_000),
    ("two devices that write twice, cut once, one is put back", Plan(
        2, 2, 1, ("restore",), 1), 100_000),
    ("two devices that write twice, cut once, one is put back unnoticed", Plan(
        2, 2, 1, ("rollback",), 1), 100_000),
    ("two devices that write once and cut twice", Plan(2, 1, 2), 100_000),
    ("two devices that write twice and cut twice", Plan(2, 2, 2), 400_000),
    ("two devices that write three times and cut once", Plan(2, 3, 1), 400_000),
    ("three devices that write once and cut once", Plan(3, 1, 1), 100_000),
]
QUICK = [each for each in WHOLE if each[2] == 100_000 and not each[1].troubles]
