"""Two devices side by side whose link is cut and joined on the page, while both change a record."""

import os
import tempfile
from pathlib import Path

import page_reading as reading
from devices import Talk, linnet

FIELDS = ("name", "dosage", "stock", "tags", "instructions", "prescriber", "strongest")


def demonstration(directory):
    """The demonstration, and the link of its page."""
    place = Path(tempfile.mkdtemp(prefix="merging.", dir=directory))
    demo = Talk([linnet(), "demo", "--dashboard", "--print", "--json"], place / "out",
                place / "err", dict(os.environ, HOME=str(place)))
    line = demo.wait_for("a link is shown", lambda one: "url" in one)
    return demo, line["url"]


def story(page, field):
    return page.until(
        f"the story of {field} is there",
        "document.querySelector(`[data-key='merged-${arguments[0]}']`)?.innerText", field)


def edited(page, side, field, selector, text):
    """One field is edited on one of both devices."""
    page.click(f"[data-focus='edit-{side}-{field}']")
    page.fill(selector, text)
    page.click("dialog button[type=submit]")
    page.until("the editor has closed", "!document.querySelector('dialog')")


def check(report, browser, directory, pictures=None):
    demo, link = demonstration(directory)
    try:
        page = browser.open(link)
        page.size(1280)
        page.wait_painted()
        page.has("Merging", "h1")
        page.has("both show the same", ".merging-link")
        report.case(True, "the demonstration opens with both devices in step")
        cut_and_join(report, page)
        shots = take(page, pictures) if pictures else []
        by_hand(report, page)
        readable(report, page)
        complaints = browser.complaints()
        report.case(not complaints, "nothing stands in the browser's log after merging",
                    complaints[:3])
        page.close()
        return len(shots)
    finally:
        demo.stop()


def cut_and_join(report, page):
    page.click("#link")
    page.has("cut", ".merging-link .chip")
    page.click("#example")
    page.has("they show different things", ".merging-link")
    text = story(page, "stock")
    report.case("Both changed it apart" in text, "apart, each says what the other does not know",
                text)
    page.click("#link")
    page.has("both show the same", ".merging-link")
    page.has("What happened", ".merged")
    stories = {field: story(page, field) for field in FIELDS}
    report.case("30 − 1 − 2 = 27" in stories["stock"], "counts add up", stories["stock"])
    for field in ("name", "dosage"):
        report.case(
            "the later change wins" in stories[field] and "lost" in stories[field]
            and "stays in the history" in stories[field],
            f"of two changes of {field} the later one wins, and the other is kept", stories[field])
    report.case("amount 1 unit g" in " ".join(stories["dosage"].split()),
                "a group is never torn", stories["dosage"])
    report.case(
        "Phone added morning" in stories["tags"] and "took out diabetes" in stories["tags"],
        "the elements of a set are named with who wrote them", stories["tags"])
    report.case("nothing was overwritten" in stories["instructions"],
                "both pieces of a text stay", stories["instructions"])
    report.case("side by side" in stories["prescriber"],
                "two values of one time stand side by side", stories["prescriber"])
    report.case("the largest value stays" in stories["strongest"],
                "of two values the largest stays", stories["strongest"])
    report.case("1,000" in stories["strongest"] and "1000" not in stories["strongest"],
                "a number looks the same wherever it stands", stories["strongest"])
    sides = page.run(
        "return [0, 1].map((side) => [...document.querySelectorAll("
        "`[data-key^='side-${side}-']`)].map((one) => one.querySelector('.field-value').innerText)"
        ".join('|'))")
    report.case(sides[0] == sides[1], "both sides of the page show the same", sides)


def by_hand(report, page):
    """A person edits one side alone, and the other learns of it."""
    page.click("#link")
    page.has("cut", ".merging-link .chip")
    edited(page, 1, "name", "#value-name", "Written on the laptop")
    page.until(
        "the laptop shows it, and the phone does not",
        "document.querySelector(\"[data-key='side-1-name']\").innerText.includes('the laptop')"
        " && !document.querySelector(\"[data-key='side-0-name']\").innerText"
        ".includes('the laptop')")
    page.click("#link")
    page.until("the phone shows it, too",
               "document.querySelector(\"[data-key='side-0-name']\").innerText"
               ".includes('the laptop')")
    text = story(page, "name")
    report.case("Only Laptop changed it" in text, "what one side wrote alone is said", text)


def readable(report, page):
    for width in (360, 1920):
        wide = reading.too_wide(page, width)
        report.case(wide == 0, f"merging fits {width} px", f"{wide} px too wide")
    page.size(1280)
    for theme in ("light", "dark"):
        weak = reading.weak(page, theme)
        report.case(not weak, f"merging has contrast enough in {theme}", weak[:5])
    nameless = reading.nameless(page)
    report.case(not nameless, "every control of merging has a name", nameless)
    missed = reading.unreached(page)
    report.case(not missed, "Tab reaches every control of merging", missed[:5])


def take(page, directory):
    """Pictures of the merged record, light and dark, narrow and wide."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for width in (360, 1920):
        page.size(width)
        for theme in ("light", "dark"):
            page.theme(theme)
            path = directory / f"merging-{width}-{theme}.png"
            page.shot(path)
            paths.append(path)
    page.size(1280)
    page.theme("light")
    return paths
