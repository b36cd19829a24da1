"""Scenarios of the suite: reads them, and says clearly what is wrong with one."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

# What a step does: the verb, the feature that an engine must claim, and the members beside it.
VERBS = {
    "write": ("values", {"on", "fields"}),
    "count": ("counters", {"on", "by", "key"}),
    "recount": ("counts anew", {"on", "to"}),
    "add": ("sets", {"on", "tag"}),
    "take": ("sets", {"on", "tag"}),
    "type": ("texts", {"on", "at", "erase", "text"}),
    "rewrite": ("texts", {"on", "text"}),
    "remark": ("several values", {"on", "text"}),
    "log": ("logs", {"on", "what"}),
    "move": ("orders", {"on", "after", "first", "last"}),
    "delete": ("deletes", {"on"}),
    "undelete": ("restores", {"on"}),
    "restart": (None, set()),
    "kill": (None, set()),
    "copy": (None, {"to"}),
    "keep": (None, set()),
    "restore": (None, set()),
    "clock": (None, {"is"}),
    "join": (None, set()),
    "sync": (None, set()),
}
# What must be shown: the kind of expectation, and the members beside it.
EXPECTATIONS = {
    "is": {"on", "record"}, "oneOf": {"on", "record"}, "has": {"on", "record"},
    "lacks": {"on", "record"}, "holds": {"on", "record"}, "gone": {"on"}, "order": {"on"},
    "places": {"on"}, "logged": {"on"}, "agree": set(),
}
FIELDS = {"name": str, "price": int, "dose": dict, "stock": int, "tags": list, "notes": str,
          "remark": list}
MEMBERS = {"title", "from", "happened", "devices", "late", "needs", "steps", "shows", "apart"}
LINK = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BadScenario(Exception):
    """What is wrong with a file, and where."""


@dataclass
class Scenario:
    name: str
    title: str
    links: list
    devices: list
    late: list
    features: set
    steps: list
    shows: list
    apart: bool


def read_all(folder, names=()):
    """The scenarios of a folder in the order of their names, or those that are named."""
    paths = {path.stem: path for path in sorted(Path(folder).glob("*.json"))}
    for name in names:
        if name not in paths:
            raise BadScenario(f"there is no scenario '{name}' in {folder}")
    return [read(path) for name, path in paths.items() if not names or name in names]


def read(path):
    """One file; raises with its name and the place in it."""
    path = Path(path)

    def refuse(what):
        raise BadScenario(f"{path}: {what}")

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        refuse(f"cannot be read: {error.strerror}")
    except ValueError as error:
        refuse(f"is no JSON: {error}")
    if not isinstance(data, dict):
        refuse("is no object with a title, devices, steps and shows")
    for member in sorted(set(data) - MEMBERS):
        refuse(f"there is no member '{member}'; known are {', '.join(sorted(MEMBERS))}")
    for member, kind in (("title", str), ("from", list), ("devices", list), ("steps", list),
                         ("shows", list)):
        if not isinstance(data.get(member), kind) or not data[member]:
            refuse(f"'{member}' is missing, empty or of another type")
    if not NAME.fullmatch(path.stem):
        refuse("its name is not in small letters with hyphens")
    if not data["title"].endswith("."):
        refuse("'title' is no sentence")
    for link in data["from"]:
        if not LINK.fullmatch(str(link)):
            refuse(f"'from' holds {link!r}, which is no issue or pull request on GitHub")
    known = [*data["devices"], *data.get("late", [])]
    features = set(data.get("needs", []))
    for number, step in enumerate(data["steps"], 1):
        features |= check_step(step, known, lambda what, n=number: refuse(f"step {n}: {what}"))
    for number, one in enumerate(data["shows"], 1):
        check_show(one, known, lambda what, n=number: refuse(f"expectation {n}: {what}"))
    return Scenario(path.stem, data["title"], data["from"], data["devices"],
                    data.get("late", []), features - {None}, data["steps"], data["shows"],
                    data.get("apart", False))


def check_step(step, known, refuse):
    """The features that a step needs; a copy is a device from here on."""
    verbs = [word for word in step if word in VERBS] if isinstance(step, dict) else []
    # The texts of a remark and the like are members, not verbs.
    if len(verbs) != 1:
        refuse(f"it has {len(verbs)} verbs instead of one of {', '.join(VERBS)}: {step}")
    verb = verbs[0]
    feature, members = VERBS[verb]
    for member in sorted(set(step) - members - {verb}):
        refuse(f"'{verb}' has no member '{member}'; known are {', '.join(sorted(members))}")
    if "on" in members and step.get("on") not in known:
        refuse(f"'on' names no device: {step.get('on')!r}; there are {', '.join(known)}")
    if verb == "copy":
        known.append(step.get("to"))
    elif verb in ("kill", "restart", "keep", "restore", "clock", "join"):
        if step[verb] not in known:
            refuse(f"'{verb}' names no device: {step[verb]!r}; there are {', '.join(known)}")
    elif verb == "sync" and step["sync"] != "all":
        for name in step["sync"]:
            if name not in known:
                refuse(f"'sync' names no device: {name!r}; there are {', '.join(known)}")
    if verb == "write":
        check_fields(step.get("fields"), refuse)
        if isinstance(step["fields"].get("dose"), dict):
            return {"values", "groups"}
    for member, kind in (("by", int), ("to", int), ("at", int), ("erase", int), ("text", str),
                         ("tag", str), ("what", str)):
        if member in step and verb != "copy" and not isinstance(step[member], kind):
            refuse(f"'{member}' is {step[member]!r}, which is no {kind.__name__}")
    if step.get("key") is not None:
        return {feature, "counts once"}
    return {feature}


def check_fields(fields, refuse):
    if not isinstance(fields, dict) or not fields:
        refuse("'fields' is missing")
    for name, value in fields.items():
        if name not in ("name", "price", "dose", "notes"):
            refuse(f"'write' writes name, price, dose and notes, not '{name}'")
        if value is not None and not isinstance(value, FIELDS[name]):
            refuse(f"'{name}' is {value!r}, which is no {FIELDS[name].__name__}")


def check_show(one, known, refuse):
    kinds = [word for word in one if word in EXPECTATIONS] if isinstance(one, dict) else []
    if len(kinds) != 1:
        refuse(f"it has {len(kinds)} kinds instead of one of {', '.join(EXPECTATIONS)}: {one}")
    kind = kinds[0]
    for member in sorted(set(one) - EXPECTATIONS[kind] - {kind}):
        refuse(f"'{kind}' has no member '{member}'")
    if one.get("on", "all") not in ("all", *known):
        refuse(f"'on' names no device: {one['on']!r}; there are {', '.join(known)}")
    if "record" in EXPECTATIONS[kind]:
        if "record" not in one or not isinstance(one[kind], dict):
            refuse(f"'{kind}' needs a record and its fields")
        for field in one[kind]:
            if field not in FIELDS:
                refuse(f"there is no field '{field}'; there are {', '.join(FIELDS)}")
