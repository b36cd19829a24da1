"""Other pages in the same browser try to read the dashboard and to write through it."""

import http.server
import json
import threading

from devices import Failure
from household import MARKUP

# Each tries one way in and says what it got; `victim` is the address of the dashboard.
ATTEMPTS = r"""
const victim = arguments[0];
const done = arguments[arguments.length - 1];
const text = async (work) => {
  try { return await work(); } catch (error) { return `refused: ${error.name}`; }
};
const body = JSON.stringify({collection: 'item', record: 'i1', fields: {name: 'stolen'}});
const read = (path, options) => text(async () => {
  const answer = await fetch(victim + path, {credentials: 'include', ...options});
  return answer.type === 'opaque' ? 'opaque' : `read: ${await answer.text()}`;
});
const element = (make) => new Promise((resolve) => {
  const e = make();
  e.onload = () => resolve(`loaded ${e.naturalWidth ?? ''}`);
  e.onerror = () => resolve('refused');
  document.body.append(e);
});
const stream = () => new Promise((resolve) => {
  const source = new EventSource(victim + '/events', {withCredentials: true});
  const end = (words) => { source.close(); resolve(words); };
  source.onopen = () => end('read: the stream is open');
  source.onerror = () => end('refused');
});
const post = (type, headers = {}) => ({
  method: 'POST', body, headers: {'Content-Type': type, ...headers}});
(async () => {
  const got = {
    session: await read('/session'),
    sessionBlind: await read('/session', {mode: 'no-cors'}),
    page: await read('/'),
    report: await read('/report.html'),
    writePlain: await read('/api/write', {...post('text/plain'), mode: 'no-cors'}),
    writeJSON: await read('/api/write', post('application/json')),
    writeToken: await read('/api/write', post('application/json', {'X-Linnet-Token': 'x'})),
    events: await stream(),
    image: await element(() => Object.assign(new Image(), {src: victim + '/face/phone.svg'})),
    script: await element(() => Object.assign(document.createElement('script'),
      {src: victim + '/js/api.js'})),
  };
  done(got);
})();
"""

FORM = r"""
const form = document.createElement('form');
form.method = 'POST';
form.action = arguments[0] + '/api/write';
form.enctype = 'text/plain';
const input = document.createElement('input');
input.name = '{"collection":"item","record":"i1","fields":{"name":"stolen"},"x":"';
input.value = '"}';
form.append(input);
document.body.append(form);
form.submit();
"""


class Elsewhere:
    """Another server on this machine, with one empty page."""

    def __enter__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"<!doctype html><title>elsewhere</title><body>elsewhere</body>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def from_other_pages(report, browser, page, device, names):
    """Pages of another port and of other host names get nothing and change nothing."""
    origin = page.run("return location.origin")
    before = device.fields("i1")
    got = {}
    with Elsewhere() as elsewhere:
        for host in ("127.0.0.1", *names):
            evil = browser.open(f"http://{host}:{elsewhere.port}/")
            evil.driver.set_script_timeout(30)
            answers = evil.driver.execute_async_script(ATTEMPTS, origin)
            got[host] = answers
            for name, answer in answers.items():
                # A file of the page is the same for everybody; nothing of the home is in it.
                held = not answer.startswith("read") and not answer.startswith("loaded")
                report.case(held, f"{name} from {host} on another port", answer[:200])
            evil.run(FORM, origin)
            evil.until("the form was answered", "document.title !== 'elsewhere'")
            said = evil.run("return document.body.innerText")
            report.case(
                "stolen" not in said and "error" in said or "refused" in said.lower(),
                f"a form from {host} is refused", said[:200])
            got[host]["form"] = said[:120]
            evil.close()
    report.case(device.fields("i1") == before, "no record changed", device.fields("i1"))
    return got


def rebinding(report, browser, page, names):
    """The dashboard's own port under another name: a page that was rebound."""
    port = page.run("return location.port")
    for name in names:
        for path in ("/", "/session", "/face/phone.svg"):
            evil = browser.open(f"http://{name}:{port}{path}")
            said = evil.run("return document.documentElement.innerText")
            report.case(
                "127.0.0.1" in said and "token" not in said,
                f"{path} under the name {name} is refused, and says why", said[:200])
            evil.close()


def used_link(report, browser, device):
    """A link is good once, and one that never was is not."""
    link = device.link()
    page = browser.open(link)
    page.wait_painted()
    report.case("#" not in page.run("return location.href").split("/open")[-1]
                or "open" not in page.run("return location.href"),
                "the secret does not stay in the address", page.run("return location.href"))
    for address, words in ((link, "used again"), (link[:-8] + "00000000", "made up")):
        again = browser.open(address)
        again.until("the page speaks", "document.body.innerText.includes('linnet dashboard')")
        report.case(
            "/open" in again.run("return location.pathname"), f"a link that is {words} is refused")
        again.close()
    page.close()


def planted_markup(report, page, screens):
    """Markup in values, identifiers, device names and errors stays text on every screen."""
    for screen in screens:
        page.go(screen)
        page.until("the screen is filled", "document.body.innerText.length > 200")
    page.go("#/records/item")
    page.fill("#condition", f"name = {MARKUP}")
    page.click("form.controls button[type=submit]")
    page.until("the refusal is there", "!!document.querySelector('main .notice.bad')")
    planted = page.run("return window.planted ?? null")
    foreign = page.run(
        "return [...document.images].map((one) => one.getAttribute('src'))"
        ".filter((one) => !one.startsWith('/'))")
    scripts = page.run(
        "return [...document.scripts].map((one) => one.getAttribute('src'))"
        ".filter((one) => !one?.startsWith('/js/'))")
    report.case(planted is None, "planted markup never runs", planted)
    report.case(not foreign and not scripts, "planted markup makes no elements",
                json.dumps([foreign, scripts]))
    page.run("document.querySelector('form.controls').reset()")
    page.click("form.controls button[type=submit]")
    page.until("the records are there again", "!document.querySelector('main .notice.bad')")


def not_inside(report, page):
    """The page itself may not do what its policy forbids: the policy is there, and it holds."""
    refusals = page.driver.execute_async_script(r"""
        const done = arguments[arguments.length - 1];
        const seen = [];
        const attempt = (name, work) => {
          try { work(); seen.push([name, 'allowed']); } catch (e) { seen.push([name, e.name]); }
        };
        attempt('innerHTML', () => { document.createElement('p').innerHTML = '<b>x</b>'; });
        attempt('policy', () => { trustedTypes.createPolicy('other', {}); });
        attempt('worker', () => { new SharedWorker('/js/api.js'); });
        fetch('http://127.0.0.1:9/').then(() => 'allowed', (e) => e.name).then((words) => {
          seen.push(['fetch elsewhere', words]);
          done(seen);
        });
    """)
    for name, words in refusals:
        if words == "allowed":
            raise Failure(f"the page's policy allows {name}")
    report.case(True, "the policy of the page forbids markup, other workers and other addresses")
