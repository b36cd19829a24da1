"""Pairing, editing and undoing on the page, seen from the page and from the nodes."""

from devices import Failure, wait_connected, wait_until
from household import LOOPBACK, Host, holds


def pairing(report, page, first, directory):
    """A new device is let in on the page alone; returns it, connected."""
    newcomer = Host(directory / "phone", "Phone", "phone")
    page.go("#/devices")
    page.click("#pair")
    page.click("dialog button[type=submit]")
    code = page.find("#pair-code").text
    digits = "".join(one for one in code if one.isdigit())
    report.case(len(digits) == 6, "the page shows six digits", code)
    page.until(
        "the picture of the code is there", "document.querySelector('.qr')?.naturalWidth > 50")
    join = newcomer.talk(
        "join", "--name", "Phone", "--kind", "phone", "--code", digits, "--peer",
        f"127.0.0.1:{first.port}")
    page.has("A device wants to join", "dialog")
    words = page.run("return [...document.querySelectorAll('#pair-words li')]"
                     ".map((one) => one.textContent)")
    report.case(len(words) == 6, "the page asks about the newcomer with six words", words)
    page.click("#pair-yes")
    join.finish()
    page.has("is in the group", "dialog")
    page.press("ESCAPE")
    newcomer.start(*LOOPBACK, "--peer", f"127.0.0.1:{first.port}")
    page.until(
        "the newcomer is shown as connected",
        "[...document.querySelectorAll('.device')].some((one) =>"
        " one.innerText.includes('Phone') && one.innerText.includes('connected'))")
    wait_connected([first, newcomer])
    own = next(one["words"] for one in newcomer.call("keys") if one["self"])
    report.case(words == own, "they are the words of the newcomer's own screen", f"{words} {own}")
    return newcomer


def open_editor(page, record, field, collection="item"):
    page.go(f"#/records/{collection}/{record}")
    page.click(f"[data-focus='edit-{field}']")
    page.until("the editor is open", "!!document.querySelector('dialog[open] .dialog-body input,"
               "dialog[open] select, dialog[open] textarea')")


def save(page):
    page.click("dialog button[type=submit]")
    page.until("the editor has closed", "!document.querySelector('dialog')")


def shows(page, field, text):
    """Waits until the record's row of a field shows a text."""
    page.until(
        f"the page shows {text!r} as {field}",
        "(document.querySelector(`[data-key='field-${arguments[0]}'] .field-value`)?.innerText"
        " ?? '').includes(arguments[1])", field, text)


def every_kind(report, page, device, other):
    """A field of every kind is edited on the page, and both nodes hold what it says."""
    fields = (
        ("name", {"#value-name": "Brown rice"}, "Brown rice", "Brown rice"),
        ("price", {"#value-amount": "3.25"}, "3.25", {"amount": 3.25, "per": "box"}),
        ("shelf", {"#value-shelf": "upper left"}, "upper left", "upper left"),
        ("highest", {"#value-highest": "12"}, "12", 12),
        ("notes", {"#text-value": "Rinse it twice.\nÄ 🌾"}, "Rinse it twice.", None),
        ("tags", {"#elements-added": "dry\nbulk"}, "bulk", None))
    for field, inputs, text, value in fields:
        open_editor(page, "i1", field)
        for selector, words in inputs.items():
            page.fill(selector, words)
        save(page)
        shows(page, field, text)
        if value is not None:
            stored = device.fields("i1").get(field)
            stored = stored[0] if isinstance(stored, list) and len(stored) == 1 else stored
            report.case(stored == value, f"{field} is edited on the page", stored)
    report.case(
        device.fields("i1")["notes"] == "Rinse it twice.\nÄ 🌾", "a text is edited on the page",
        device.fields("i1").get("notes"))
    report.case(
        sorted(device.fields("i1")["tags"]) == ["bulk", "dry"], "a set is edited on the page",
        device.fields("i1").get("tags"))
    special_kinds(report, page, device)
    wait_until("the other device holds the same", lambda: device.digest() == other.digest())


def special_kinds(report, page, device):
    """What is not typed into a field: choices, counts, places, dates."""
    open_editor(page, "i1", "frozen")
    page.choose("#value-frozen", "true")
    save(page)
    holds(device, "i1", "frozen", True)
    open_editor(page, "i1", "earliest")
    page.run("document.querySelector('#value-earliest').value = '2027-03-01'")
    save(page)
    holds(device, "i1", "earliest", "2027-03-01")
    open_editor(page, "i1", "count")
    page.fill("#count-by", "4")
    page.click("#count-add")
    page.until("the editor has closed", "!document.querySelector('dialog')")
    holds(device, "i1", "count", 7)
    open_editor(page, "i1", "place")
    page.choose("#place-where", "first")
    save(page)
    sorted_now = device.call("query", "item", "--sort", "place", "--limit", "1", "--where",
                             "place is not null")
    report.case(
        bool(sorted_now) and sorted_now[0]["id"] == "i1", "a record is moved on the page",
        sorted_now)
    page.go("#/records/purchase")
    page.click("#new-record")
    page.fill("#new-identifier", "p1")
    page.fill("#value-of", "i1")
    save(page)
    report.case(
        device.fields("p1", "purchase").get("of") == "i1", "a record of a log is written")
    report.case(True, "choices, counts, dates and places are edited on the page")


def trash(report, page, device):
    """A record goes into the trash, and comes back."""
    page.go("#/records/item/i3")
    page.click("#delete-record")
    save(page)
    page.has("It is in the trash", ".record")
    page.go("#/records/item?trash=1")
    page.click("[data-focus='restore-i3']")
    page.has("Nothing of item is in the trash", "main")
    wait_until("it is back", lambda: "name" in device.fields("i3"))
    report.case(True, "a record is deleted and brought back on the page")


def two_pages(report, one, two, device):
    """Both pages change one field at once; both show what the node decided."""
    for page, words in ((one, "by the first"), (two, "by the second")):
        open_editor(page, "i1", "name")
        page.fill("#value-name", words)
    for page in (one, two):
        page.click("dialog button[type=submit]")
    for page in (one, two):
        page.until("the editor has closed", "!document.querySelector('dialog')")
    for page in (one, two):
        shows(page, "name", device.fields("i1")["name"])
    report.case(True, "two pages that edit one field at once show the same")
    open_editor(one, "i1", "notes")
    before = device.fields("i1")["notes"]
    one.find("#text-value").send_keys(" (mine)")
    device.call("edit", "item/i1", "notes", "--at", "0", "--insert", "Theirs. ")
    save(one)
    report.case(
        device.fields("i1")["notes"] == f"Theirs. {before} (mine)",
        "what another one wrote into a text that is being edited stays", device.fields("i1"))


def why(report, page, device):
    """The page says who wrote a field, what lost, and who holds it."""
    page.go("#/records/item/i1")
    page.click("[data-focus='why-name']")
    text = page.until(
        "the explanation is there", "document.querySelector('.why')?.innerText")
    for words in ("Rule", "Laptop", "shows", "has it", "lost"):
        report.case(words in text, f"the explanation says '{words}'", text[:400])
    count = page.run("return document.querySelectorAll('.why ol.timeline > li').length")
    history = len(device.call("history", "item/i1", "name"))
    report.case(count == history, "the line of time has every change", f"{count} {history}")


def certified(report, page):
    """The connected device signs that it holds the same, at the first click."""
    page.go("#/devices")
    page.click("[data-focus='certify']")
    signed = page.until(
        "the other device signed",
        "document.querySelector(\"[data-key^='certificate-']\")?.innerText")
    report.case("the same, still" in signed, "one click and both sign that they hold the same",
                signed)
    page.has("1 of 1 other signed that they hold the same now")


def elsewhere(report, page, device, other):
    """A write on another device shows on the page by itself."""
    page.go("#/records/item/i1")
    other.call("set", "item/i1", "shelf=from the phone")
    shows(page, "shelf", "from the phone")
    report.case(True, "what another device writes shows by itself")
    if device.fields("i1")["shelf"] not in ("from the phone", ["from the phone"]):
        raise Failure("the page shows what the node does not")
