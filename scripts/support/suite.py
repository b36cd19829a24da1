"""The suite for every engine: plays scenarios, prints the table, compares the page with it."""

import argparse
import importlib
import json
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from suite_format import LINK, BadScenario, read_all
from suite_play import play

TOP = Path(__file__).resolve().parents[2]
SCENARIOS = TOP / "Simulations/Suite/scenarios"
PAGE = TOP / "docs/comparison.md"
BEGIN, END = "<!-- begin: scripts/suite --table -->", "<!-- end: scripts/suite --table -->"
# The module and the class of each engine, in the order of the table.
ENGINES = {"linnet": ("suite_linnet", "Linnet"), "yjs": ("suite_yjs", "Yjs"),
           "pycrdt": ("suite_pycrdt", "Pycrdt"), "loro": ("suite_loro", "Loro"),
           "rows": ("suite_rows", "Rows")}
MARKS = {"passes": "passes", "fails": "**fails**", "not claimed": "not claimed",
         "not run": "not run"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def found(names):
    """Each engine with its version, or with None and why it cannot run here."""
    engines = []
    for name in names:
        module, kind = ENGINES[name]
        try:
            engine = getattr(importlib.import_module(module), kind)
            engines.append((name, engine, engine.version()))
        except (ImportError, OSError) as error:
            say(f"NOT RUN {name}: {error}")
            engines.append((name, None, None))
    return engines


def played(engines, scenarios, jobs, rounds):
    """How each scenario ended on each engine, as {(engine, scenario): (result, why)}."""
    results = {}
    folder = Path(tempfile.mkdtemp(prefix="linnet-suite-"))

    def one(pair):
        (name, engine, _), scenario = pair
        if engine is None:
            return (name, scenario.name), ("not run", "it is not installed")
        place = folder / f"{name}-{scenario.name}"
        return (name, scenario.name), play(engine, scenario, place, rounds)

    try:
        with ThreadPoolExecutor(jobs) as pool:
            for key, (result, why) in pool.map(
                    one, [(engine, scenario) for scenario in scenarios for engine in engines]):
                results[key] = (result, why)
                if result == "fails":
                    say(f"{key[0]} fails {key[1]}: {why}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return results


def table(engines, scenarios, results):
    """The table of the page, and who passes how many."""
    heads = [f"{name} {version or ''}".strip() for name, _, version in engines]
    lines = ["| scenario | what must hold | seen in | " + " | ".join(heads) + " |",
             "| --- | --- | --- |" + " --- |" * len(engines)]
    for scenario in scenarios:
        links = ", ".join(f"[{found_in(link)}]({link})" for link in scenario.links)
        cells = [MARKS[results[name, scenario.name][0]] for name, _, _ in engines]
        lines.append(f"| `{scenario.name}` | {scenario.title} | {links} | "
                     + " | ".join(cells) + " |")
    sums = []
    for name, _, _ in engines:
        ends = [results[name, scenario.name][0] for scenario in scenarios]
        claimed = len(ends) - ends.count("not claimed") - ends.count("not run")
        sums.append(f"{ends.count('passes')} of {claimed}")
    lines.append(f"| **{len(scenarios)} scenarios** | passed, of those claimed | | "
                 + " | ".join(sums) + " |")
    return "\n".join(lines)


def found_in(link):
    repository, number = LINK.fullmatch(link).groups()
    return f"{repository.split('/')[1]} #{number}"


def page_is_right(text):
    """Whether the page shows this table; says what differs."""
    page = PAGE.read_text(encoding="utf-8")
    shown = page.partition(BEGIN)[2].partition(END)[0].strip()
    if shown == text:
        say("ok: the table of docs/comparison.md is what runs here")
        return True
    before, after = shown.splitlines(), text.splitlines()
    for line in before:
        if line not in after:
            print(f"- {line}")
    for line in after:
        if line not in before:
            print(f"+ {line}")
    say("not ok: docs/comparison.md shows another table: put in what scripts/suite --table prints")
    return False


def main():
    parser = argparse.ArgumentParser(prog="scripts/suite", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all if none")
    parser.add_argument("--engine", action="append", choices=list(ENGINES), help="only this one")
    parser.add_argument("--table", action="store_true", help="print the table in Markdown")
    parser.add_argument("--check", action="store_true", help="compare docs/comparison.md with it")
    parser.add_argument("--list", action="store_true", help="name the scenarios")
    parser.add_argument("--json", action="store_true", help="one JSON object for each result")
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at a time (2)")
    parser.add_argument("--rounds", type=int, help="instead of as often as an engine needs")
    parser.add_argument("--folder", default=SCENARIOS, help="scenarios of your own")
    options = parser.parse_args()
    scenarios = read_all(options.folder, options.names)
    if options.list:
        for scenario in scenarios:
            print(f"{scenario.name:34} {scenario.title}")
        return 0
    engines = found(options.engine or ENGINES)
    results = played(engines, scenarios, options.jobs, options.rounds)
    if options.table:
        print(table(engines, scenarios, results))
    elif options.check:
        if any(engine is None for _, engine, _ in engines):
            say("NOT RUN: not every engine of the table is installed")
            return 77
        return 0 if page_is_right(table(engines, scenarios, results)) else 1
    elif options.json:
        for (engine, name), (result, why) in results.items():
            print(json.dumps({"engine": engine, "scenario": name, "result": result, "why": why}))
    else:
        for scenario in scenarios:
            print(f"{scenario.name:34} " + "  ".join(
                f"{name} {results[name, scenario.name][0]}" for name, _, _ in engines))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadScenario as bad:
        say(f"suite: {bad}")
        sys.exit(2)
