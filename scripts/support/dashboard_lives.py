"""A node that falls silent, ends and comes back under an open page, and news that pile up."""

import json
import signal

from devices import wait_until
from household import LOOPBACK

# What the browser itself writes when nobody answers.
SILENCE = (r"ERR_CONNECTION_REFUSED", r"ERR_CONNECTION_RESET", r"ERR_EMPTY_RESPONSE",
           r"ERR_INCOMPLETE_CHUNKED_ENCODING")


def silent_and_back(report, browser, page, device):
    """A node that is stopped and goes on: the page goes on, too."""
    page.go("#/records/item/i1")
    process = device.node.process.pid
    device.node.signal(signal.SIGSTOP)
    device.node.signal(signal.SIGCONT)
    device.call("set", "item/i1", "name=after the pause")
    page.has("after the pause", ".record")
    report.case(device.node.process.pid == process, "the page goes on after a pause of the node")


def many_at_once(report, page, device, directory):
    """More changes at once than are told one by one: the page reads anew, and has them all."""
    page.go("#/records/item")
    before = page.seq()
    path = directory / "many.jsonl"
    with open(path, "w") as lines:
        for index in range(1500):
            lines.write(json.dumps({"id": f"n{index:04}", "name": f"thing {index}"}) + "\n")
    device.call("import", str(path), "--collection", "item", seconds=120)
    page.wait_painted(before)
    page.until("there are more than a page", "document.querySelectorAll('tbody tr').length === 100")
    page.click("#count")
    page.has("of 1,504", ".summary")
    report.case(True, "the page catches up after 1,500 changes at once")


def killed(report, browser, page, device):
    """A node that is killed under the open page is spoken of at once, with what to do."""
    browser.complaints()
    page.go("#/devices")
    device.kill()
    page.has("The node does not answer", "#banner")
    text = page.find("#banner").text
    report.case("linnet dashboard --open" in text, "a lost node is said, with what to do", text)
    report.case("as of" in text, "it is said as of when the numbers are", text)
    report.case(
        page.find("#state").text == "no connection", "the state is a word, too",
        page.find("#state").text)
    device.start(*LOOPBACK, "--dashboard", page.run("return location.port"))
    page.has("there is no session here", "#banner")
    report.case(True, "a node that was started again does not know the page's session, and says so")
    fresh = browser.open(device.link())
    fresh.wait_painted()
    fresh.has("Devices", "h1")
    device.call("set", "item/i1", "name=written in the next life")
    for one in (fresh, page):
        one.go("#/records/item/i1")
        one.has("written in the next life", ".record")
    page.until("the banner is gone", "document.querySelector('#banner').hidden")
    report.case(True, "with a new link the page that was open goes on, and has caught up")
    unexpected = browser.complaints(*SILENCE, r"403 \(Forbidden\)")
    report.case(not unexpected, "nothing else stands in the browser's log", unexpected)
    return page


def ended_session(report, browser, page, device):
    """A session that is ended on one page is over on its own pages."""
    page.go("#/devices")
    # The same profile keeps one cookie for the address, so that a new link takes its place.
    other = browser.open(device.link())
    other.wait_painted()
    other.go("#/devices")
    sessions = other.until(
        "the sessions are listed",
        "[...document.querySelectorAll('[data-focus^=session-]')].map((e) => e.dataset.focus)")
    report.case(len(sessions) >= 2, "the page lists the sessions", sessions)
    own = other.run(
        "return [...document.querySelectorAll('[data-focus^=session-]')]"
        ".find((e) => e.getAttribute('aria-label').includes('this one'))?.dataset.focus")
    report.case(bool(own), "it says which one is its own", sessions)
    other.click(f"[data-focus='{own}']")
    other.has("no longer connected", "#banner")
    report.case(True, "a page whose session was ended says so")
    browser.complaints(r"403 \(Forbidden\)")
    return other


def stopped(report, page, device):
    """A node that stops says so before it goes."""
    device.stop()
    page.until("the page says that the node is gone", "!document.querySelector('#banner').hidden")
    wait_until("the node has ended", lambda: device.node is None)
    report.case(True, "a node that stops is said")
