"""What a person decides about other devices on the page: was that you, removals with their plan and
receipts, what came too late, and what a device lacks that is away."""

from devices import admit, wait_until
from household import LOOPBACK, Host, host

# A device of the list, by its name.
CARD = ("[...document.querySelectorAll('.device')].find((one) =>"
        " one.querySelector('h2').innerText.includes(arguments[0]))")


def member(first, directory, name, kind="other"):
    """A further device of the group whose node does not run."""
    device = Host(directory / name.lower(), name, kind)
    admit(first, device, peer=f"127.0.0.1:{first.port}")
    return device


def opened(browser, device):
    page = browser.open(device.link())
    page.size(1280)
    page.wait_painted()
    return page.go("#/devices")


def check(report, browser, directory):
    """A laptop, a tablet and a phone; the phone is lost, and wrote something before."""
    laptop = host(directory, "Desk")
    tablet = member(laptop, directory, "Tablet")
    phone = member(laptop, directory, "Lost")
    nodes = [laptop, tablet, phone]
    try:
        laptop.call("set", "item/i1", "name=Rice")
        place = ("--peer", f"127.0.0.1:{laptop.port}")
        for device in (tablet, phone, tablet):
            device.call("sync", *place)
        page = opened(browser, laptop)
        lacks(report, page, laptop, tablet, place)
        written_apart(laptop, tablet, phone)
        page.close()
        page = opened(browser, laptop)
        removal(report, page, laptop, phone)
        tablet.call("sync", "--peer", f"127.0.0.1:{laptop.port}")
        receipt(report, page)
        late(report, page, laptop)
        page.close()
        questions(report, browser, tablet)
    finally:
        for device in nodes:
            device.kill()


def lacks(report, page, laptop, tablet, place):
    """What a device lacks is on its card while it is away, by collection."""
    page.until("the tablet lacks nothing", f"{CARD}?.innerText.includes('nothing then')", "Tablet")
    for number in (1, 2):
        laptop.call("set", f"item/l{number}", "name=Salt")
    laptop.call("insert", "purchase/p1", "of=i1")
    text = page.until(
        "the card says what is lacked", f"(({CARD}?.innerText ?? '')"
        ".match(/Lacks[^]*?purchase[^]*?then;/) ?? [])[0]", "Tablet")
    report.case(
        "3 changed records" in text and "2 of item" in text and "1 of purchase" in text,
        "what a device lacks that is away is said by collection", text)
    report.case("by what it said then" in text, "it is said as of when", text)
    said = laptop.call("status")[0]["devices"]
    lack = next(one["lacks"] for one in said if one["name"] == "Tablet")
    report.case(
        lack["batches"] == lack["opened"] == 3, "the command says the same", lack)
    tablet.call("sync", *place)
    page.until("the tablet has it", f"{CARD}?.innerText.includes('nothing then')", "Tablet")


def written_apart(laptop, tablet, phone):
    """The phone writes what only the tablet learns."""
    laptop.stop()
    tablet.start(*LOOPBACK)
    for number in (1, 2, 3):
        phone.call("set", f"item/late{number}", "name=Late")
    phone.call("sync", "--peer", f"127.0.0.1:{tablet.port}")
    tablet.stop()
    laptop.start(*LOOPBACK)


def removal(report, page, laptop, phone):
    """A removal shows what it does before it is done, and who has heard of it afterwards."""
    gone = phone.identifier()
    page.click(f"[data-focus='remove-{gone}']")
    page.has("Nothing has changed yet", "dialog")
    text = page.find("dialog").text
    for words in ("get new keys", "are readable with the", "which stay and count",
                  "Tablet will hear of it"):
        report.case(words in text, f"the plan of a removal says '{words}'", text)
    report.case(
        any(one["device"] == gone for one in laptop.status()["devices"]),
        "looking at the plan removes nobody")
    page.choose("#remove-reason", "lost")
    page.click("dialog button[type=submit]")
    page.until("the dialog is closed", "!document.querySelector('dialog')")
    page.has("was removed by", "main")
    text = page.run("return document.querySelector('[data-key^=removal-]').innerText")
    report.case(
        "Lost was removed by Desk (lost)" in text, "the removal is on the page", text)
    report.case(
        "Tablet is not known to have heard" in " ".join(text.split()),
        "who has not heard of a removal is named", text)
    report.case(
        all(one["device"] != gone for one in laptop.status()["devices"]),
        "the node has removed it")


def receipt(report, page):
    page.until(
        "the receipt has come", "/Tablet\\s+signed that it holds it/.test("
        "document.querySelector('[data-key^=removal-]').innerText)")
    report.case(True, "the receipt of a removal comes by itself")


def late(report, page, laptop):
    """What a removed device wrote too late is listed, and counts once it is accepted."""
    page.has("Late writes", "main")
    text = page.run("return document.querySelector('[data-key^=late-]').innerText")
    report.case("Lost: 3 changes in batches" in text, "late writes are listed", text)
    report.case(
        not laptop.call("query", "item", "--where", "name = Late"), "they do not count yet")
    page.click("[data-key^='late-'] [data-focus$='-yes']")
    page.until("they are listed no more", "!document.querySelector('[data-key^=late-]')")
    wait_until("they count", lambda: len(
        laptop.call("query", "item", "--where", "name = Late")) == 3)
    report.case(True, "late writes are accepted on the page")


def questions(report, browser, tablet):
    """A person is asked of what another device did, and answers on the page."""
    tablet.start(*LOOPBACK)
    page = opened(browser, tablet)
    page.has("Was that you?", ".asks")
    text = page.run("return document.querySelector('.asks').innerText")
    report.case("Lost was removed by Desk (lost)" in text, "the page asks of a removal", text)
    asked = tablet.call("questions")
    record = next(one["record"] for one in asked if one["matter"] == "removal")
    page.click(f"[data-focus='no-{record}']")
    page.has("votes against it", "#news")
    page.until("it is not asked again", "!document.querySelector(arguments[0])",
               f"[data-focus='no-{record}']")
    for _ in range(len(asked) - 1):
        page.click(".asks [data-focus^='yes-']")
        page.until("the answer is taken", "true")
    page.until("nothing is asked any more", "!document.querySelector('.asks')")
    wait_until("the node has the answers", lambda: all(
        one.get("answer") for one in tablet.call("questions")))
    votes = tablet.call("removals")[0]["against"]
    report.case(len(votes) == 1, "'No' is a vote against the removal", votes)
    page.close()
