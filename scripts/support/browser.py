"""Chromium without a window, and pages in it. Nothing that it does leaves the machine."""

import json
import re
import shutil

from devices import Failure, wait_until

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver, WebDriverException = None, RuntimeError

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
    "--no-proxy-server", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--hide-scrollbars", "--lang=en-GB")


def missing():
    """What this machine lacks for a browser; empty when nothing does."""
    if webdriver is None:
        return "python3-selenium is not installed for this Python"
    for program in ("chromedriver",):
        if not shutil.which(program):
            return f"{program} is not installed (Debian: chromium-driver)"
    return ""


class Browser:
    """A browser with a profile of its own; `names` are host names that lead to this machine."""

    def __init__(self, directory, names=()):
        options = webdriver.ChromeOptions()
        for flag in FLAGS:
            options.add_argument(flag)
        options.add_argument(f"--user-data-dir={directory}")
        rules = [f"MAP {name} 127.0.0.1" for name in names]
        rules += ["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"]
        options.add_argument("--host-resolver-rules=" + " , ".join(rules))
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            service=Service(shutil.which("chromedriver")), options=options)
        self.blank = self.driver.current_window_handle
        self.said = []

    def quit(self):
        self.driver.quit()

    def open(self, url, kind="window"):
        """A new page, which is the present one from now on."""
        self.driver.switch_to.window(self.blank)
        self.driver.switch_to.new_window(kind)
        page = Page(self, self.driver.current_window_handle)
        self.driver.get(url)
        return page

    def close_pages(self):
        """Leaves the blank page alone."""
        for handle in self.driver.window_handles:
            if handle != self.blank:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self.blank)

    def complaints(self, *expected):
        """Lines of the browser's log since the last call that fit none of the patterns."""
        lines = [line["message"] for line in self.driver.get_log("browser")]
        return [line for line in lines if not any(re.search(one, line) for one in expected)]


class Page:
    """A window of the browser."""

    def __init__(self, browser, handle):
        self.browser, self.driver, self.handle = browser, browser.driver, handle

    def front(self):
        if self.driver.current_window_handle != self.handle:
            self.driver.switch_to.window(self.handle)
        return self

    def close(self):
        self.front()
        self.driver.close()
        self.driver.switch_to.window(self.browser.blank)

    def run(self, script, *values):
        """What a script returns in the page."""
        return self.front().driver.execute_script(script, *values)

    def tell(self, method, **members):
        return self.front().driver.execute_cdp_cmd(method, members)

    def until(self, sentence, script, *values, seconds=20):
        """Waits until a script returns something true, and returns that."""
        try:
            return wait_until(sentence, lambda: self.run(f"return {script}", *values), seconds)
        except Failure as failure:
            text = self.run("return document.body.innerText")
            raise Failure(f"{failure}; the page says: {text[:600]!r}") from None

    def has(self, text, where="body"):
        """Waits until a text stands in the first element that fits."""
        return self.until(
            f"'{text}' stands in {where}",
            "(document.querySelector(arguments[0])?.innerText ?? '').includes(arguments[1])",
            where, text)

    def find(self, selector):
        """The first element that fits, once it is there."""
        self.until(f"{selector} is there", "!!document.querySelector(arguments[0])", selector)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        # Found and clicked in one step: what is alive may be painted anew between two.
        self.until(
            f"{selector} can be clicked",
            "(() => { const e = document.querySelector(arguments[0]);"
            " if (!e || e.disabled) return false;"
            " e.focus(); e.click(); return true; })()", selector)

    def fill(self, selector, text):
        element = self.find(selector)
        element.clear()
        element.send_keys(text)

    def choose(self, selector, value):
        self.find(selector)
        self.run(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('change', {bubbles: true}))", selector, value)

    def press(self, *keys):
        self.front()
        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def seq(self):
        """The number of the last change that was painted; -1 before the first."""
        return self.run("return +(document.documentElement.dataset.seq ?? -1)")

    def wait_painted(self, after=-1):
        return self.until(
            f"what follows {after} is painted",
            "+(document.documentElement.dataset.seq ?? -1) > arguments[0]", after)

    def go(self, place):
        """Another screen, once it is painted."""
        self.run("location.hash = arguments[0]", place)
        name = place.strip("#/").split("/")[0].split("?")[0]
        self.until(f"{place} is shown", "!!document.querySelector(`.screen.${arguments[0]} h1`)",
                   name)
        return self

    def size(self, width, height=900):
        self.tell("Emulation.setDeviceMetricsOverride",
                  width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, theme):
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": theme}])

    def shot(self, path):
        """A picture of the whole page, however long."""
        width = self.run("return innerWidth")
        height = self.run("return Math.min(document.documentElement.scrollHeight, 4000)")
        self.size(width, max(900, height))
        self.until("all pictures are there", "[...document.images].every((one) => one.complete)")
        self.driver.save_screenshot(str(path))
        self.size(width)

    def accessible(self):
        """The nodes of the accessibility tree that are not ignored: (role, name)."""
        nodes = self.tell("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes if not node.get("ignored")]


def quoted(text):
    """A text as JavaScript writes it."""
    return json.dumps(text)
