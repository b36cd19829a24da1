"""Plays one scenario on one engine, and judges what its devices show."""


class Refused(Exception):
    """An engine did not do what it claims; the text says how."""


def play(engine, scenario, folder, rounds=None):
    """How it ended: "passes", "fails" or "not claimed", and why; one round that fails is enough."""
    lacking = sorted(scenario.features - set(engine.claims))
    if lacking:
        return "not claimed", ", ".join(lacking)
    for number in range(rounds or engine.rounds):
        result, why = once(engine, scenario, folder)
        if result != "passes":
            return result, why + (f" (round {number + 1})" if number else "")
    return "passes", ""


def once(engine, scenario, folder):
    world = engine.begin(folder, scenario.devices)
    try:
        devices = list(scenario.devices)
        for number, step in enumerate(scenario.steps, 1):
            try:
                carry_out(world, devices, step)
            except Refused as refused:
                return "fails", f"step {number}: {refused}"
        shown = {name: neat(world.show(name)) for name in devices}
        return judge(scenario, shown)
    finally:
        world.end()


def carry_out(world, devices, step):
    if "sync" in step:
        names = devices if step["sync"] == "all" else step["sync"]
        # With a chain of meetings there and back, what the last one knows reaches the first.
        pairs = list(zip(names, names[1:]))
        for one, other in pairs + (pairs[-2::-1] if len(pairs) > 1 else []):
            world.sync(one, other)
    elif "copy" in step:
        world.copy(step["copy"], step["to"])
        devices.append(step["to"])
    elif "join" in step:
        world.join(step["join"])
        devices.append(step["join"])
    elif "clock" in step:
        world.clock(step["clock"], step["is"])
    else:
        for verb in ("restart", "kill", "keep", "restore"):
            if verb in step:
                getattr(world, verb)(step[verb])
                return
        world.write(step["on"], step)


def neat(shown):
    """Records without what is empty, so that engines differ in no more than what they show."""
    records = {}
    for name, fields in shown["records"].items():
        records[name] = {key: sorted(value) if isinstance(value, list) else value
                         for key, value in fields.items() if value not in (None, "", [], {}, 0)}
    return {"records": records, "order": shown.get("order"), "log": shown.get("log", {})}


def judge(scenario, shown):
    problems = []
    for one in scenario.shows:
        names = [*shown] if one.get("on", "all") == "all" else [one["on"]]
        problems += [f"{name}: {what}" for name in names for what in wrong(one, shown[name])]
    if not scenario.apart:
        first = next(iter(shown))
        problems += [f"{name} differs from {first}: {differing(shown[first], shown[name])}"
                     for name in shown if shown[name] != shown[first]]
    return ("fails", "; ".join(problems[:3])) if problems else ("passes", "")


def differing(one, other):
    for part in ("records", "order", "log"):
        if one[part] != other[part]:
            return f"{other[part]} instead of {one[part]}"
    return ""


def wrong(one, shown):
    """What one device shows against one expectation."""
    records = shown["records"]
    record = records.get(one.get("record"))
    if "agree" in one:
        return []
    if "gone" in one:
        return [f"{one['gone']} is there: {records[one['gone']]}"] if one["gone"] in records else []
    if "order" in one:
        there = [name for name in shown["order"] or [] if name in one["order"]]
        return [] if there == one["order"] else [f"the order is {there}, not {one['order']}"]
    if "places" in one:
        there = sorted(shown["order"] or [])
        return [] if there == sorted(one["places"]) else [f"places are held by {there}"]
    if "logged" in one:
        return [] if shown["log"] == one["logged"] else [f"the log holds {shown['log']}"]
    if record is None:
        return [f"{one['record']} is not there"]
    problems = []
    for kind in ("is", "oneOf", "has", "lacks", "holds"):
        for field, value in one.get(kind, {}).items():
            if not fits(kind, record.get(field), value):
                problems.append(f"{field} of {one['record']} is {record.get(field)!r}, "
                                f"{SAID[kind]} {value!r}")
    return problems


SAID = {"is": "not", "oneOf": "none of", "has": "which lacks one of",
        "lacks": "which has one of", "holds": "which does not hold each once of"}


def fits(kind, found, value):
    if kind == "is":
        # Nothing and zero are one: engines differ in whether they keep an empty field.
        return (found or None) == ((sorted(value) if isinstance(value, list) else value) or None)
    if kind == "oneOf":
        return found in value
    if kind == "has":
        return all(each in (found or []) for each in value)
    if kind == "lacks":
        return all(each not in (found or []) for each in value)
    return all((found or "").count(each) == 1 for each in value)
