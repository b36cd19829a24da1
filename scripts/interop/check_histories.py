#!/usr/bin/env python3
"""Checks what sets of membership records come to, by the rule as `membership_rule` says it.

usage: check_histories.py FILE
FILE has one set a line, as docs/vectors/membership.json has them. Prints how many sets and how many
facts were checked; exit 1 at the first that is not so.
"""
import json
import sys

import check_vectors


def main():
    sets = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            facts = json.loads(line)
            check_vectors.outcome(facts, check_vectors.linked(facts["records"]))
            sets += 1
    print(f"{sets} {check_vectors.checked}")


if __name__ == "__main__":
    main()
