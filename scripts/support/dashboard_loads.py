"""Fifty tabs, a hundred thousand records: what they cost the node, and the page."""

import json
import os
import time

from devices import Failure, wait_until
from household import host, joined

TABS = 50
RECORDS = 100_000
GROWTH_LIMIT_KIBIBYTES = 4 * 1024
RESIDENT_LIMIT_KIBIBYTES = 60 * 1024
LOAD_LIMIT_MILLISECONDS = 200


def fifty_tabs(report, browser, first, device):
    """What fifty tabs cost the node, and that a write elsewhere goes on and shows."""
    address = first.run("return location.origin + '/#/records/item'")
    first.go("#/records/item")
    before = device.resident()
    pages = []
    for _ in range(TABS - 1):
        page = browser.open(address, "tab")
        page.wait_painted()
        pages.append(page)
    growth = device.resident() - before
    report.case(
        growth < GROWTH_LIMIT_KIBIBYTES, f"{TABS} tabs cost the node under 4 MiB",
        f"{growth} KiB")
    last = pages[-1]
    painted = last.seq()
    began = time.monotonic()
    device.call("set", "item/i1", "name=seen in fifty tabs")
    written = time.monotonic() - began
    last.front()
    last.wait_painted(painted)
    last.has("seen in fifty tabs")
    first.front()
    first.has("seen in fifty tabs")
    report.case(True, f"a write elsewhere shows with {TABS} tabs open")
    grown = device.resident() - before
    for page in pages:
        page.close()
    complaints = browser.complaints()
    report.case(not complaints, "nothing stands in the browser's log", complaints[:3])
    return {"tabs": TABS, "growthKibibytes": growth, "growthAfterWritesKibibytes": grown,
            "commandMilliseconds": round(written * 1000)}


def timings(page):
    """Milliseconds of the page's loading, by the browser's own clock."""
    return page.run(
        "const n = performance.getEntriesByType('navigation')[0];"
        "const p = performance.getEntriesByName('first-contentful-paint')[0];"
        "return {load: n.loadEventEnd, paint: p?.startTime ?? null,"
        " bytes: performance.getEntriesByType('resource')"
        ".reduce((sum, one) => sum + one.transferSize, n.transferSize)}")


def hundred_thousand(report, browser, directory):
    """A page over a hundred thousand records."""
    device = host(directory, "Archive", "hub", start=False)
    path = directory / "records.jsonl"
    with open(path, "w") as lines:
        for index in range(RECORDS):
            lines.write(json.dumps({
                "id": f"r{index:06}", "name": f"thing number {index}", "count": index % 7,
                "highest": index % 1000, "frozen": index % 2 == 0}) + "\n")
    device.call("import", str(path), "--collection", "item", seconds=1800)
    path.unlink()
    device.start("--listen", "127.0.0.1:0", "--no-discovery")
    try:
        figures = looked_at(report, browser, device)
        figures["certificate"] = signed_by_two(report, browser, device, directory)
        return figures
    finally:
        device.kill()


def signed_by_two(report, browser, device, directory):
    """Two devices sign that they hold the same records, and others are answered meanwhile."""
    copy = joined(device, directory, "Copy", "laptop")
    try:
        last = f"r{RECORDS - 1:06}"
        wait_until(
            "the copy holds all records",
            lambda: copy.call("query", "item", "--count")[0]["count"] == RECORDS,
            seconds=900)
        page = browser.open(device.link())
        page.wait_painted()
        page.go("#/devices")
        calm = max(answered(device, last) for _ in range(10))
        began = time.monotonic()
        page.click("[data-focus='certify']")
        waits = []
        sign = "document.querySelector(\"[data-key^='certificate-']\")?.innerText"
        while not page.run(f"return {sign} ?? ''"):
            waits.append(answered(device, last))
            if time.monotonic() - began > 120:
                raise Failure("nobody signed within two minutes")
        seconds = round(time.monotonic() - began, 1)
        text = page.run(f"return {sign}")
        report.case("the same, still" in text, "two devices sign for 100,000 records", text)
        report.case(
            len(waits) > 1, "commands are answered while two devices sign", f"{len(waits)}")
        page.close()
        return {"seconds": seconds, "commands": len(waits),
                "worstCommandMilliseconds": round(1000 * max(waits)),
                "worstCommandBeforeMilliseconds": round(1000 * calm)}
    finally:
        copy.kill()


def answered(device, record):
    """Seconds that a command takes which asks the node for a record."""
    began = time.monotonic()
    device.call("get", f"item/{record}")
    return time.monotonic() - began


def looked_at(report, browser, device):
    page = browser.open(device.link())
    page.wait_painted()
    page.go("#/records/item")
    page.click("#count")
    page.has("of 100,000", ".summary")
    loads = []
    began = device.processor()
    for _ in range(5):
        page.run("location.reload()")
        page.until(
            "the table is there again",
            "document.readyState === 'complete'"
            " && document.querySelectorAll('.records-table tbody tr').length === 100"
            " && performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        loads.append(timings(page))
    processor = round((device.processor() - began) / 5)
    for _ in range(20):
        before = page.find(".summary strong").text
        page.click("#next")
        page.until("the next page is there",
                   "document.querySelector('.summary strong').innerText !== arguments[0]", before)
    search = searched(page, "name begins 'thing number 4242'")
    scan = searched(page, "highest = 42 and frozen = true")
    report.case(
        "index of name" in search["plan"], "a filter that an index serves says so", search)
    report.case("scan" in scan["plan"], "a filter that reads everything says so", scan)
    resident = device.resident()
    report.case(
        resident < RESIDENT_LIMIT_KIBIBYTES,
        "a node with 100,000 records stays under 60 MiB with its page", f"{resident} KiB")
    best = sorted(one["load"] for one in loads)
    report.case(
        best[0] < LOAD_LIMIT_MILLISECONDS, "the page loads in under 200 ms with 100,000 records",
        f"{best} ms, load of the machine {os.getloadavg()}")
    complaints = browser.complaints()
    report.case(not complaints, "nothing stands in the browser's log", complaints[:3])
    page.close()
    return {"records": RECORDS, "machineLoad": os.getloadavg()[0],
            "processorMilliseconds": processor, "residentKibibytes": resident,
            "loadMilliseconds": {"median": round(best[2]), "worst": round(best[-1])},
            "firstPaintMilliseconds": [round(one["paint"] or -1) for one in loads],
            "index": search, "scan": scan}


def searched(page, condition):
    """Looks for a condition on the page: what it says about how it was found."""
    page.fill("#condition", condition)
    before = page.find(".summary").text
    page.click("form.controls button[type=submit]")
    page.until("the answer is there",
               "document.querySelector('.summary').innerText !== arguments[0]", before, seconds=60)
    text = page.find(".summary").text
    if "of" not in text:
        raise Failure(f"no number of records in: {text}")
    return {"plan": page.find(".summary .plan").text, "summary": text}
