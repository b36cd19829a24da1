"""Planted bugs: checks them, builds them into a copy of the tree, and hunts for each."""

import argparse
import json
import sys
from pathlib import Path

from mutant_build import build, built_names, describe
from mutant_files import INVARIANTS, Trouble, read_all, locate
from mutant_hunt import Hunt, say

SHARE = 95


def check(mutants, top):
    """Every original stands once in its file, and no two overlap by halves."""
    locate(mutants, top)
    expected = {mutant.invariant for mutant in mutants}
    unnamed = [name for name in INVARIANTS if name not in expected]
    if unnamed:
        raise Trouble(f"no planted bug is expected to break {', '.join(unnamed)}")
    if len(mutants) < 40:
        raise Trouble(f"{len(mutants)} bugs are planted, 40 are wanted")
    groups = sorted({mutant.group for mutant in mutants})
    say(f"{len(mutants)} bugs in {len(groups)} groups fit the sources")


def table(mutants):
    print("| bug | group | what it does | caught by |")
    print("| --- | --- | --- | --- |")
    for mutant in mutants:
        seen = f" Seen: {mutant.seen}." if mutant.seen else ""
        print(f"| `{mutant.name}` | {mutant.group} | {mutant.bug}{seen} | {mutant.invariant} |")


def chosen(mutants, wanted):
    known = {mutant.name for mutant in mutants} | {mutant.group for mutant in mutants}
    for name in wanted:
        if name not in known:
            raise Trouble(f"there is no bug or group named {name}")
    return [m for m in mutants if not wanted or m.name in wanted or m.group in wanted]


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/mutants", add_help=True)
    parser.add_argument("names", nargs="*", metavar="NAME", help="bugs or groups; all if none")
    parser.add_argument("--check", action="store_true", help="only compare with the sources")
    parser.add_argument("--build", action="store_true", help="only build; a product may be named")
    parser.add_argument("--table", action="store_true", help="only list, in Markdown")
    parser.add_argument("--seeds", type=int, default=500, help="most seeds for each bug")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, help="processes at a time (2; with --on, for a host)")
    parser.add_argument("--scenario", help="instead of the one for the bug's group")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each bug")
    parser.add_argument("--patience", type=int, default=120,
                        help="processor seconds without a finished seed that are a standstill")
    parser.add_argument("--results", help="a file that keeps what was found, to go on from it")
    parser.add_argument("--on", metavar="WHERE", help="parallel:HOST,HOST… or slurm")
    parser.add_argument("--folder", help="with --on: where its records are kept")
    parser.add_argument("--binary", help="a built simulate, instead of building one")
    return parser.parse_args()


def main():
    top = Path.cwd()
    options = arguments()
    mutants = read_all(top / "Simulations" / "Mutants")
    if options.table:
        table(mutants)
        return 0
    check(mutants, top)
    if options.check:
        describe(mutants, top)
        return 0
    if options.build:
        print(build(mutants, top, options.names[0] if options.names else "simulate"))
        return 0
    if min(options.seeds, options.jobs or 1, options.first, options.patience) < 1:
        raise Trouble("numbers of seeds, jobs and seconds are positive")
    wanted = chosen(mutants, set(options.names))
    binary = options.binary or build(mutants, top, "simulate")
    missing = {mutant.name for mutant in wanted} - set(built_names(top))
    if missing:
        raise Trouble(f"not built in: {', '.join(sorted(missing))}")
    if options.on:
        from mutant_far import FarMutants
        hunt = FarMutants(binary, options)
    else:
        options.jobs = options.jobs or 2
        hunt = Hunt(binary, options)
    if not hunt.control(wanted):
        return 1
    caught = hunt.all(wanted)
    return 0 if 100 * caught >= SHARE * len(wanted) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        say(f"mutants: {trouble}")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
