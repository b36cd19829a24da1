"""The medicines on the page: doses that are taken, left out and taken back, a journey to decide,
the doctor's report; and what belongs to every screen: the theme and sorted tables."""

from devices import wait_until
from household import LOOPBACK, Host, schema

# The line of a dose, by its key.
DOSE = "document.querySelector(`.dose[data-key=\"${CSS.escape(arguments[0])}\"]`)"


def status(device, dose):
    return next((one["status"] for one in device.call("med", "today")[0]["doses"]
                 if one["dose"] == dose), None)


def press(page, dose, words):
    """Presses a button of a dose."""
    page.until(
        f"'{words}' is pressed",
        f"(() => {{ const b = [...({DOSE}?.querySelectorAll('button') ?? [])]"
        ".find((one) => one.innerText === arguments[1]);"
        " if (!b || b.disabled) return false; b.click(); return true; })()", dose, words)


def doses(report, page, device):
    """A dose is taken, taken back, left out and taken back on the page."""
    page.go("#/today")
    dose = page.until(
        "a dose can be taken", "[...document.querySelectorAll('.dose')].find((one) =>"
        " [...one.querySelectorAll('button')].some((it) => it.innerText === 'Take'))?.dataset.key")
    before, stock = status(device, dose), device.call("med", "list")
    for words, shown, stored in (
            ("Take", "taken", ("taken", "late")), ("Undo", "Skip", (before,)),
            ("Skip", "left out", ("skipped",)), ("Undo", "Skip", (before,))):
        press(page, dose, words)
        page.until(f"the page says '{shown}'", f"{DOSE}.innerText.includes(arguments[1])", dose,
                   shown)
        seen = status(device, dose)
        report.case(seen in stored, f"'{words}' of a dose is done by the node", seen)
    after = device.call("med", "list")
    report.case(after == stock, "the stocks are what they were", after)


def doctor(report, browser, page):
    """The report for a doctor is a page without scripts, as wide as paper and as a phone."""
    link = page.find("a[href^='/report.html']").get_attribute("href")
    sheet = browser.open(link)
    sheet.has("Ramipril")
    report.case(
        sheet.run("return document.scripts.length") == 0, "the doctor's report has no script")
    for width in (360, 1920):
        sheet.size(width)
        wide = sheet.run("return document.documentElement.scrollWidth - innerWidth")
        report.case(wide <= 0, f"the doctor's report fits {width} px", f"{wide} px too wide")
    sheet.close()
    wrong = browser.open(link.replace("days=30", "days=9999"))
    text = wrong.run("return document.body.innerText")
    report.case("whole number from 1 to 400" in text, "a wrong number of days is said", text[:200])
    wrong.close()


def theme(report, page):
    """The theme that a person chooses is used, and outlives the page."""
    ground = "return getComputedStyle(document.body).backgroundColor"
    page.theme("light")
    page.choose("#theme", "dark")
    dark = page.run(ground)
    page.run("location.reload()")
    page.until("the page is there again", "document.querySelector('.screen h1')")
    report.case(
        page.run("return document.documentElement.dataset.theme") == "dark"
        and page.run(ground) == dark, "a chosen theme outlives the page", page.run(ground))
    page.choose("#theme", "light")
    light = page.run(ground)
    report.case(light != dark, "light and dark differ", light)
    page.choose("#theme", "system")
    page.theme("dark")
    page.until("the page follows the system",
               "getComputedStyle(document.body).backgroundColor === arguments[0]", dark)
    page.theme("light")
    report.case(True, "without a choice the page follows the system")


def sorting(report, page, device):
    """A table is sorted by a column, either way, as the node sorts."""
    page.go("#/records/item")
    rows = "return [...document.querySelectorAll('tbody tr')].map((one) => one.dataset.key)"
    for field in ("name", "count"):
        for sign, state in (("", "ascending"), ("-", "descending")):
            before = page.run(rows)
            page.click(f".sort[aria-label='Sort by {field}']")
            wanted = [one["id"] for one in device.call(
                "query", "item", "--sort", f"{sign}{field}", "--limit", "100")]
            page.until(
                f"the rows are sorted by {sign}{field}",
                "JSON.stringify([...document.querySelectorAll('tbody tr')]"
                ".map((one) => one.dataset.key)) === arguments[0]",
                str(wanted).replace("'", '"').replace(", ", ","))
            report.case(
                field == "name" or page.run(
                    "return document.querySelector('th[aria-sort]').ariaSort") == state,
                f"the table is sorted by {field}, {state}", before[:3])


def journey(report, browser, directory):
    """After a flight the page asks how the times go on, and the person decides there."""
    device = Host(directory / "traveller", "Traveller", "phone",
                  environment={"TZ": "Europe/Berlin"})
    device.call("init", "--name", "Traveller", "--kind", "phone",
                "--schema", schema(device.directory))
    device.call("med", "add", "Ramipril", "--amount", "5", "--unit", "mg",
                "--times", "08:00,20:00")
    device.environment["TZ"] = "America/New_York"
    device.call("med", "travel")
    device.start(*LOOPBACK)
    try:
        page = browser.open(device.link())
        page.size(1280)
        page.wait_painted()
        page.go("#/today")
        page.has("A journey to decide", ".journeys")
        text = page.find(".journeys").text
        for words in ("from Europe/Berlin to America/New_York", "Keep the time of day",
                      "Keep the time at home", "Move step by step"):
            report.case(words in text, f"a journey is offered with '{words}'", text[:300])
        page.click("[data-focus$='-keepLocalTime']")
        page.until("it is decided", "!document.querySelector('.journeys')")
        wait_until("the node has the decision", lambda: not device.call("med", "travel"))
        report.case(True, "a journey is decided on the page")
        page.close()
    finally:
        device.kill()
