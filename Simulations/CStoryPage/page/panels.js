/* Beside the picture: what happened at the chosen place, how devices stand, and the list. */

function fillHead() {
  document.getElementById("sentence").textContent = story.sentence
    + (story.shrunk ? " Shrunk: " + counted(story.shrunk.left, "action") + " of "
       + grouped(story.shrunk.before) + " are left after " + counted(story.shrunk.runs, "run") + "." : "");
  const verdict = story.verdict;
  const box = document.getElementById("verdict");
  if (verdict.kind === "ok") {
    box.className = "held";
    box.append(make("strong", "", "Everything held"),
               make("span", "", "No invariant broke, and in the end all was as it must be."));
    return;
  }
  box.className = "failed";
  box.append(make("strong", "", verdict.code + " is broken"), make("span", "", verdict.sentence));
  const button = make("button", "", "Show where");
  button.addEventListener("click", () => go(brokenPlace));
  box.append(button);

  const card = document.getElementById("brokenCard");
  card.hidden = false;
  card.append(make("h2", "", "What broke"), make("p", "lead", verdict.message + "."));
  const names = make("dl", "pairs");
  const pair = (name, ...values) => {
    if (values.length) names.append(make("dt", "", name), make("dd", "", ...values));
  };
  pair("Devices", ...verdict.devices.map(number => chip(number)));
  const authors = new Set(verdict.authors.map(number => story.chains[number])
    .map(chain => chain.name + " is " + writerWords(chain)));
  pair("Authors", ...[...authors].map(text => make("span", "line", text)));
  pair("Records", ...verdict.records.map(record => make("code", "", record)));
  card.append(names);
  if (verdict.states.length) {
    card.append(make("details", "", make("summary", "", "Last states"),
                     make("pre", "", verdict.states.join("\n"))));
  }
}

/* A device by number, in its colour. */
const chip = number => make("span", "chip " + colourOf(number), deviceName(number));

function fillAbout() {
  const about = document.getElementById("about");
  const pairs = [
    ["Run again", "simulate --scenario " + story.scenario + " --seed " + story.seed],
    ["Program", story.program], ["Cryptography", story.crypto],
    ["Events", grouped(story.events)], ["Simulated", spanText(story.milliseconds)],
    ["Trace hash", story.traceHash],
    ["Left out", story.leftOut.length ? story.leftOut.join(", ") : "nothing"],
  ];
  for (const [name, value] of pairs) about.append(make("dt", "", name), make("dd", "", value));
  const legend = document.getElementById("legend");
  for (const [kind, [name, sentence]] of Object.entries(sorts)) {
    legend.append(make("p", "", icon(kind), make("span", "", make("strong", "", name + ". "), sentence)));
  }
  for (const [look, sentence] of [
    ["running", "A full line: the process runs."], ["asleep", "Dashes: the device sleeps or is locked."],
    ["off", "Dots: the process is off."], ["running harmful", "A thick line with gaps: in other hands."],
  ]) {
    const line = draw("svg", { viewBox: "0 0 26 26", class: "icon", "aria-hidden": "true" },
                      draw("path", { d: "M0 13H26", class: "lane device0 " + look }));
    legend.append(make("p", "", line, make("span", "", sentence)));
  }
}

/* What happened at a place, with its meaning. */
function fillHere(place) {
  const item = items[place];
  const [name, sentence] = sorts[item.kind];
  const head = make("p", "when", icon(item.kind, item), make("strong", "", name),
                    make("time", "", timeText(item.time)),
                    make("span", "count", grouped(place + 1) + " of " + grouped(items.length)));
  const parts = [head, make("p", "lead", item.text)];
  if (item.why) parts.push(make("p", "why", item.why));
  if (item.batches > 0) parts.push(make("p", "", "Stored anew: " + counted(item.batches, "batch", "batches") + "."));
  if (item.records) {
    const list = make("ul", "records", ...item.records.map(record => {
      const [key, fields] = shortened(record).split(/: (.*)/s);
      return make("li", "", make("code", "", key), fields ? " " + fields : "");
    }));
    if (item.moreRecords) list.append(make("li", "", "and " + counted(item.moreRecords, "record") + " more"));
    parts.push(make("p", "label", "Became visible"), list);
  }
  if (item.also) parts.push(make("ul", "also", ...item.also.map(text => make("li", "", text))));
  parts.push(make("p", "explain", sentence));
  const box = document.getElementById("here");
  box.className = "card kind-" + item.kind;
  box.replaceChildren(...parts);
}

/* What each device has of what any device has. */
function unionOf(fleet) {
  const union = new Map();
  for (const device of fleet.devices.values()) {
    for (const [chain, held] of device.holds) {
      const known = union.get(chain);
      union.set(chain, { first: held.first, stored: Math.max(known?.stored ?? 0, held.stored) });
    }
  }
  return union;
}

function fillDevices(place) {
  const fleet = fleetAt(place);
  const union = unionOf(fleet);
  const item = items[place];
  const touched = item.kind === "broken" ? story.verdict.devices : [item.device, item.other];
  document.getElementById("devices").replaceChildren(...lanes.map(number => {
    const device = fleet.devices.get(number);
    const card = make("article", "device card " + colourOf(number)
      + (touched.includes(number) ? " touched" : ""));
    const words = !device?.process ? ["not there yet"] : [
      processWords[device.process] ?? device.process,
      device.standing, device.version ? "version " + device.version : "", clockWords(device.clock),
    ].filter(Boolean);
    const links = [...fleet.links].map(name => name.split("-").map(Number))
      .filter(pair => pair.includes(number)).map(pair => pair[0] === number ? pair[1] : pair[0]);
    card.append(make("h3", "", chip(number), make("span", "name", device?.name === "device" + number ? "" : device?.name)),
                make("p", "state", words.join(" · ")));
    if (links.length) {
      card.append(make("p", "state", "linked with " + links.sort((a, b) => a - b).join(", ")));
    }
    if (device && union.size) card.append(holdings(device, union));
    return card;
  }));
}

/* The batches of one device, by who wrote them. */
function holdings(device, union) {
  const writers = new Map();
  let [all, stored, shown] = [0, 0, 0];
  for (const [chain, most] of union) {
    const held = device.holds.get(chain) ?? { first: most.first, stored: most.first - 1,
                                              shown: most.first - 1 };
    const sums = writers.get(story.chains[chain].writer) ?? { all: 0, stored: 0, shown: 0, lines: [] };
    writers.set(story.chains[chain].writer, sums);
    const counts = [most.stored, held.stored, Math.max(held.shown, most.first - 1)]
      .map(number => number - most.first + 1);
    sums.all += counts[0];
    sums.stored += counts[1];
    sums.shown += counts[2];
    all += counts[0];
    stored += counts[1];
    shown += counts[2];
    sums.lines.push(chainWords(story.chains[chain]) + " (" + story.chains[chain].name + "): "
      + (counts[1] ? held.first + "…" + held.stored : "nothing") + " of " + most.first + "…" + most.stored
      + (counts[2] < counts[1] ? ", shows " + counts[2] : ""));
  }
  const bars = make("div", "bars");
  for (const [writer, sums] of [...writers].sort((a, b) => (a[0] ?? 99) - (b[0] ?? 99))) {
    const bar = make("span", "bar " + colourOf(writer ?? -1));
    for (const [look, count] of [["shown", sums.shown], ["waits", sums.stored - sums.shown],
                                 ["lacks", sums.all - sums.stored]]) {
      if (count <= 0) continue;
      const part = make("span", look);
      part.style.flexGrow = count;
      bar.append(part);
    }
    bars.append(make("span", "by", writer === null ? "?" : String(writer)), bar,
                make("span", "numbers", sums.stored + " of " + sums.all));
  }
  const lines = [...writers.values()].flatMap(sums => sums.lines).slice(0, 200);
  const details = make("details", "", make("summary", "", "has " + counted(stored, "batch", "batches")
    + " of " + grouped(all) + (shown < stored ? ", shows " + grouped(shown) : "")));
  // Long lists are made when somebody opens them.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) {
      details.append(make("ul", "chains", ...lines.map(line => make("li", "", line))));
    }
  });
  return make("div", "holdings", bars, details);
}

/* The list: what is near the place, or what is looked for. */
const listSize = 120;

function wanted() {
  const words = document.getElementById("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const sort = document.getElementById("sort").value;
  if (!words.length && !sort) return null;
  return item => {
    if (sort && item.kind !== sort) return false;
    const text = [item.text, item.why, ...item.also ?? [], ...item.records ?? []].join(" ").toLowerCase();
    return words.every(word => text.includes(word));
  };
}

function fillList(place) {
  const isWanted = wanted();
  const found = document.getElementById("found");
  let places;
  if (isWanted) {
    const all = [...items.keys()].filter(next => isWanted(items[next]));
    const near = all.findIndex(next => next >= place);
    const from = Math.max(0, Math.min((near < 0 ? all.length : near) - listSize / 2, all.length - listSize));
    places = all.slice(from, from + listSize);
    found.textContent = counted(all.length, "place") + " found"
      + (all.length > places.length ? "; those nearest to here are listed" : "");
  } else {
    const from = Math.max(0, Math.min(place - listSize / 2, items.length - listSize));
    places = Array.from({ length: Math.min(listSize, items.length) }, (_, index) => from + index);
    found.textContent = items.length > listSize ? "the " + listSize + " places around this one" : "";
  }
  const list = document.getElementById("list");
  list.replaceChildren(...places.map(next => row(next, next === place)));
  const current = list.querySelector("[aria-current]");
  if (current && !list.contains(document.activeElement)) {
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 3;
  }
}

function row(place, isCurrent) {
  const item = items[place];
  const button = make("button", "", icon(item.kind, item), make("time", "", timeText(item.time)),
                      make("span", "text", item.text));
  if (item.records) button.append(make("span", "shows", shortened(item.records.join("; "))));
  if (isCurrent) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => go(place));
  const element = make("li", "kind-" + item.kind, button);
  element.value = place + 1;
  return element;
}

function fillSorts() {
  const select = document.getElementById("sort");
  select.append(make("option", "", "everything"));
  select.firstChild.value = "";
  for (const [kind, [name]] of Object.entries(sorts)) {
    const count = items.filter(item => item.kind === kind).length;
    if (!count) continue;
    const option = make("option", "", name + " (" + grouped(count) + ")");
    option.value = kind;
    select.append(option);
  }
}
